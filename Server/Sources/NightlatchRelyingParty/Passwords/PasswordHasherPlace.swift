import Synchronization

/// A place among those who wait for a ``PasswordHasher``. It is free again once it is left or released.
package final class PasswordHasherPlace: Sendable {
    /// Who wants a password hashed.
    package enum Caller: Hashable, Sendable {
        /// A client, by the address that its requests count under; nil if it came over no network.
        case client(IPAddress?)
        /// The app's backend, told apart by its key.
        case backend
    }

    let caller: Caller
    private let places: PasswordHasherPlaces
    private let isTaken = Mutex(true)

    fileprivate init(of caller: Caller, among places: PasswordHasherPlaces) {
        self.caller = caller
        self.places = places
    }

    /// Leaves the place. Idempotent.
    package func leave() {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if wasTaken { places.free(caller) }
    }

    deinit { leave() }
}

/// Shares places between callers.
///
/// - Neither the backend nor all clients together get the last fourth of the places: it is left to the other.
/// - A client address gets another place while it has fewer than are free for clients. So one address alone gets half of what there is
///   for clients, and an address that has none gets one as long as any is free: a *dynamic threshold*
///   ([Choudhury and Hahne, 1998](https://doi.org/10.1109/90.664262)).
final class PasswordHasherPlaces: Sendable {
    private struct Taken {
        var backend = 0
        var clients = 0
        /// No address has 0.
        var byCaller: [PasswordHasherPlace.Caller: Int] = [:]
    }

    private let limit: Int
    /// What the backend gets at most, and clients together.
    private let limitOfKind: Int
    private let taken = Mutex(Taken())

    init(limit: Int) {
        self.limit = limit
        limitOfKind = limit - limit / 4
    }

    /// A place, or nil if all are taken that `caller` may have.
    func take(for caller: PasswordHasherPlace.Caller) -> PasswordHasherPlace? {
        let isFree = taken.withLock { taken in
            let freeCount = limit - taken.backend - taken.clients
            switch caller {
            case .backend:
                guard min(freeCount, limitOfKind - taken.backend) > 0 else { return false }
                taken.backend += 1
            case .client:
                let count = taken.byCaller[caller, default: 0]
                guard count < min(freeCount, limitOfKind - taken.clients) else { return false }
                taken.clients += 1
                taken.byCaller[caller] = count + 1
            }
            return true
        }
        return isFree ? PasswordHasherPlace(of: caller, among: self) : nil
    }

    fileprivate func free(_ caller: PasswordHasherPlace.Caller) {
        taken.withLock { taken in
            guard case .client = caller else { return taken.backend -= 1 }
            taken.clients -= 1
            let count = taken.byCaller[caller, default: 1] - 1
            taken.byCaller[caller] = count == 0 ? nil : count
        }
    }
}
