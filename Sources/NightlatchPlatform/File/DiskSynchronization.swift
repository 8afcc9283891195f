package import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Forces what was written to an open file onto the disk.
package struct DiskSynchronization: Sendable {
    private let calls: [@Sendable (Int32) -> Int32]

    /// - Parameter calls: System calls that take a descriptor and return 0 or set `errno`, the best one first.
    package init(_ calls: [@Sendable (Int32) -> Int32]) {
        self.calls = calls
    }

    /// What this system has.
    package static let system = Self(systemCalls)

    /// Returns when all that was written to the file `descriptor` is on the disk.
    ///
    /// A call that a signal interrupts is made again. One that the file system does not know, as those of network disks do not
    /// know all, gives way to the next; a failure of any other kind does not.
    ///
    /// - Throws: ``StoreError``; nothing is known then of what was written.
    package func run(_ descriptor: Int32) throws(StoreError) {
        var status = ENOTSUP
        for call in calls where status == ENOTSUP || status == EINVAL {
            repeat {
                if call(descriptor) == 0 { return }
                status = errno
            } while status == EINTR
        }
        throw StoreError(errno: status)
    }
}

#if canImport(Darwin)
// `fsync` on Apple systems leaves the bytes in the drive's own cache.
private let systemCalls: [@Sendable (Int32) -> Int32] = [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
#else
private let systemCalls: [@Sendable (Int32) -> Int32] = [{ fsync($0) }]
#endif
