import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Synchronization to disk")
struct DiskSynchronizationTests {
    @Test("A call that a signal interrupts is repeated until it completes")
    func interrupted() throws {
        let script = Script([EINTR, EINTR, 0])
        try DiskSynchronization([script.call, Script.never]).run(3)
        #expect(script.descriptors == [3, 3, 3])
    }

    @Test("If the file system does not support a call, the next call follows", arguments: [ENOTSUP, EINVAL])
    func unknown(status: Int32) throws {
        let (full, plain) = (Script([status]), Script([EINTR, 0]))
        try DiskSynchronization([full.call, plain.call]).run(3)
        #expect(full.descriptors == [3])
        #expect(plain.descriptors == [3, 3])
    }

    @Test(
        "A disk error is reported, and no weaker call replaces the failed one", arguments: [EIO, EBADF, ENOSPC, EDQUOT])
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

    @Test("If the file system supports no call, the error is reported")
    func allUnknown() {
        let script = Script([ENOTSUP, EINVAL])
        #expect(throws: StoreError(.unavailable)) { try DiskSynchronization([script.call, script.call]).run(3) }
        #expect(script.descriptors.count == 2)
    }

    @Test("The system's calls accept a file and refuse an invalid descriptor")
    func system() throws {
        let descriptor = unsafe open(#filePath, O_RDONLY)
        try DiskSynchronization.system.run(descriptor)
        close(descriptor)
        #expect(throws: StoreError(.unavailable)) { try DiskSynchronization.system.run(-1) }
    }

    /// A system call with scripted results; 0 means success.
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
