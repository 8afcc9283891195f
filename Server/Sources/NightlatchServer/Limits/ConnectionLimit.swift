import Foundation
package import NightlatchRelyingParty
import Synchronization

/// Limits the open connections, in total and for each network customer (an IPv4 address or an IPv6 /64), so that no
/// client can take all of them.
///
/// A connection beyond a limit is closed at once. If it waited, a client that holds all others could keep every other
/// client waiting.
package final class ConnectionLimit: Sendable {
    private struct Open {
        var count = 0
        /// Addresses without open connections have no entry.
        var byAddress: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let open = Mutex(Open())

    /// Creates the limit of a server.
    ///
    /// - Parameters:
    ///   - limits: The configured limits.
    ///   - files: The number of files and sockets that the process may have open. The limit on connections stays below
    ///     this number, to leave some files for the store.
    package init(_ limits: RequestLimits, openFileLimit files: Int = ConnectionLimit.openFileLimit) {
        limit = min(limits.connections, max(files - RequestLimits.spareFileCount, files / 2))
        // If files are scarce, the limit per address shrinks in proportion.
        limitPerAddress = max(1, limits.connectionsPerAddress * limit / max(1, limits.connections))
    }

    /// Counts a connection, unless there are too many.
    ///
    /// - Parameter customer: The client's `IPAddress.customer`; nil for a connection that counts only in total.
    /// - Returns: Why the connection is refused; nil if it was counted. When a counted connection closes, the caller
    ///   must call ``end(of:)``.
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

    /// Removes a connection from the count.
    package func end(of customer: IPAddress?) {
        open.withLock { open in
            open.count -= 1
            guard let customer, let count = open.byAddress[customer] else { return }
            open.byAddress[customer] = count == 1 ? nil : count - 1
        }
    }

    /// The number of files and sockets that this process may have open.
    package static var openFileLimit: Int {
        let count = sysconf(Int32(_SC_OPEN_MAX))
        return count > 0 ? count : .max
    }
}
