package import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Forces the data of an open file onto the disk.
package struct DiskSynchronization: Sendable {
    private let calls: [@Sendable (Int32) -> Int32]

    /// - Parameter calls: System calls that take a descriptor and return 0 or set `errno`, in order of preference.
    package init(_ calls: [@Sendable (Int32) -> Int32]) {
        self.calls = calls
    }

    /// The calls of this system.
    package static let system = Self(systemCalls)

    /// Waits until all data written to the file `descriptor` is on the disk.
    ///
    /// A call that a signal interrupts is repeated. If the file system does not support a call, as on some network
    /// disks, the next call is used. Any other error is thrown.
    ///
    /// - Throws: ``StoreError``. The written data may then be lost.
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
// On Apple systems, `fsync` leaves data in the drive's cache.
private let systemCalls: [@Sendable (Int32) -> Int32] = [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
#else
private let systemCalls: [@Sendable (Int32) -> Int32] = [{ fsync($0) }]
#endif
