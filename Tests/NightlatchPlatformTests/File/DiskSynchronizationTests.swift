import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Forcing bytes onto the disk")
struct DiskSynchronizationTests {
    @Test("A call that a signal interrupts is made again until it is through")
    func interrupted() throws {
        let script = Script([EINTR, EINTR, 0])
        try DiskSynchronization([script.call, Script.never]).run(3)
        #expect(script.descriptors == [3, 3, 3])
    }

    @Test("A call that the file system does not know gives way to the next one", arguments: [ENOTSUP, EINVAL])
    func unknown(status: Int32) throws {
        let (full, plain) = (Script([status]), Script([EINTR, 0]))
        try DiskSynchronization([full.call, plain.call]).run(3)
        #expect(full.descriptors == [3])
        #expect(plain.descriptors == [3, 3])
    }

    @Test(
        "A disk that fails is told, and no lesser call is made in its stead", arguments: [EIO, EBADF, ENOSPC, EDQUOT])
    func failed(status: Int32) {
        let script = Script([EINTR, status])
        #expect {
            try DiskSynchronization([script.call, Script.never]).run(3)
        } throws: { error in
            let error = error as? StoreError
            return error?.systemStatus == status
                && error?.code == ([ENOSPC, EDQUOT].contains(status) ? .full : .unavailable)
        }
    }

    @Test("Where the file system knows no call at all, that is told")
    func allUnknown() {
        let script = Script([ENOTSUP, EINVAL])
        #expect(throws: StoreError(.unavailable)) { try DiskSynchronization([script.call, script.call]).run(3) }
        #expect(script.descriptors.count == 2)
    }

    @Test("The system's own calls take a file and refuse what is none")
    func system() throws {
        let descriptor = unsafe open(#filePath, O_RDONLY)
        try DiskSynchronization.system.run(descriptor)
        close(descriptor)
        #expect(throws: StoreError(.unavailable)) { try DiskSynchronization.system.run(-1) }
    }

    /// A system call that ends each time as it is told, 0 for success.
    private struct Script: Sendable {
        private let rest: Shared<[Int32]>
        private let seen = Shared<[Int32]>([])

        static let never: @Sendable (Int32) -> Int32 = { _ in
            Issue.record("a lesser call was made")
            return 0
        }

        init(_ statuses: [Int32]) {
            rest = Shared(statuses)
        }

        var descriptors: [Int32] { seen.withLock { $0 } }

        var call: @Sendable (Int32) -> Int32 {
            { descriptor in
                seen.withLock { $0.append(descriptor) }
                let status = rest.withLock { $0.isEmpty ? EBADF : $0.removeFirst() }
                guard status != 0 else { return 0 }
                errno = status
                return -1
            }
        }
    }
}
