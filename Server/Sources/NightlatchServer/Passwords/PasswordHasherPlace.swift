import Synchronization

/// A place among those who wait for a ``PasswordHasher``. It is free again when it is left, or when nobody has it any more.
package final class PasswordHasherPlace: Sendable {
    /// Who wants a password hashed.
    package enum Caller: Sendable {
        case anybody
        /// A fourth of the places is kept for it: it is told apart by its key, and nobody else is to keep it out.
        case backend
    }

    private let places: PasswordHasherPlaces
    private let isTaken = Mutex(true)

    fileprivate init(among places: PasswordHasherPlaces) {
        self.places = places
    }

    /// Leaves the place, if that was not done before.
    func leave() {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if wasTaken { places.free() }
    }

    deinit { leave() }
}

/// How many places are taken.
final class PasswordHasherPlaces: Sendable {
    private let limit: Int
    private let takenCount = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// A place, or nil if all are taken that `caller` may have.
    func take(for caller: PasswordHasherPlace.Caller) -> PasswordHasherPlace? {
        let limit =
            switch caller {
            case .anybody: limit - limit / 4
            case .backend: limit
            }
        let isFree = takenCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? PasswordHasherPlace(among: self) : nil
    }

    fileprivate func free() {
        takenCount.withLock { $0 -= 1 }
    }
}
