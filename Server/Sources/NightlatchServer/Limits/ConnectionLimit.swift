import Foundation
package import NightlatchRelyingParty
import Synchronization

/// Counts the connections that are open, so that nobody can take all that there may be.
///
/// One too many is closed at once: were it left to wait, whoever holds the others would keep everybody else from being told.
package final class ConnectionLimit: Sendable {
    private struct Open {
        var count = 0
        /// Of none that has none.
        var byAddress: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let open = Mutex(Open())

    /// - Parameters:
    ///   - limits: What is asked for.
    ///   - files: How many files and sockets the process may have open. There are no more connections than that, with some to spare for the store.
    package init(_ limits: RequestLimits, openFileLimit files: Int = ConnectionLimit.openFileLimit) {
        limit = min(limits.connections, max(files - RequestLimits.spareFileCount, files / 2))
        // Where files are few, an address has as much less: of those that are there it takes the same part.
        limitPerAddress = max(1, limits.connectionsPerAddress * limit / max(1, limits.connections))
    }

    /// Counts a connection, unless there are too many.
    ///
    /// - Parameter customer: Whose it is; nil for one that counts for nobody.
    /// - Returns: Why there is no room for it. If nil, there is, and ``end(of:)`` must follow.
    package func begin(of customer: IPAddress?) -> ConnectionRefusal? {
        open.withLock { open in
            guard open.count < limit else { return .all }
            if let customer {
                let count = open.byAddress[customer, default: 0]
                guard count < limitPerAddress else { return .address }
                open.byAddress[customer] = count + 1
            }
            open.count += 1
            return nil
        }
    }

    /// A connection that was counted has ended.
    package func end(of customer: IPAddress?) {
        open.withLock { open in
            open.count -= 1
            guard let customer, let count = open.byAddress[customer] else { return }
            open.byAddress[customer] = count == 1 ? nil : count - 1
        }
    }

    /// How many files and sockets this process may have open.
    package static var openFileLimit: Int {
        let count = sysconf(Int32(_SC_OPEN_MAX))
        return count > 0 ? count : .max
    }
}
