import Synchronization

/// A hashing slot of a ``PasswordHasher``. It is free again once the caller calls ``leave()`` or releases the object.
package final class PasswordHasherPlace: Sendable {
    /// The caller that needs a password hashed.
    package enum Caller: Hashable, Sendable {
        /// A client, identified by the address under which rate limits count its requests; nil if the client did not
        /// connect over a network.
        case client(IPAddress?)
        /// The backend, which its key identifies.
        case backend
    }

    let caller: Caller
    private let places: PasswordHasherPlaces
    private let isTaken = Mutex(true)

    fileprivate init(of caller: Caller, among places: PasswordHasherPlaces) {
        self.caller = caller
        self.places = places
    }

    /// Frees the slot. Idempotent.
    package func leave() {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if wasTaken { places.free(caller) }
    }

    deinit { leave() }
}

/// Shares hashing slots between callers.
///
/// - The backend can take at most three quarters of the slots, and so can all clients together. The last quarter is
///   reserved for the other of the two.
/// - A client address can take another slot while it has fewer slots than are free for clients. One address alone
///   therefore gets half of the clients' slots, and an address without a slot gets one as long as a slot for clients is
///   free: a *dynamic threshold* ([Choudhury and Hahne, 1998](https://doi.org/10.1109/90.664262)).
final class PasswordHasherPlaces: Sendable {
    private struct Taken {
        var backend = 0
        var clients = 0
        /// Contains no address with 0 slots.
        var byCaller: [PasswordHasherPlace.Caller: Int] = [:]
    }

    private let limit: Int
    /// The largest number of slots for the backend, and for all clients together.
    private let limitOfKind: Int
    private let taken = Mutex(Taken())

    init(limit: Int) {
        self.limit = limit
        limitOfKind = limit - limit / 4
    }

    /// Reserves a slot; returns nil if all slots that `caller` may have are taken.
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
