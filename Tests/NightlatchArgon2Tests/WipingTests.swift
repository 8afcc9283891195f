import CNightlatchZeroing
import Foundation
import NightlatchArgon2
import Testing

// One scan at a time: another's buffer would be full of what it has read.
@Suite("What a derivation leaves in memory", .serialized, .enabled(if: ProcessMemory.canBeRead, "needs /proc"))
struct WipingTests {
    @Test("The scan finds a word that lies in memory")
    func control() throws {
        let complement = UInt64.random(in: .min ... .max)
        let planted = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        unsafe planted.initialize(to: ~complement)
        #expect(try ProcessMemory.find(complementsOf: [complement]) == [complement])
        unsafe planted.deallocate()
    }

    @Test(
        "What a function has left on the stack is gone when the stack is wiped, and there when it is not",
        arguments: [true, false])
    func stack(isWiped: Bool) throws {
        let complement = UInt64.random(in: .min ... .max)
        let (isPlanted, isScanned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            Self.leaveOnStack(complementOf: complement)
            if isWiped { nightlatch_zero_stack() }
            isPlanted.signal()
            isScanned.wait()
        }
        isPlanted.wait()
        #expect(try ProcessMemory.find(complementsOf: [complement]) == (isWiped ? [] : [complement]))
        isScanned.signal()
    }

    @inline(never)
    private static func leaveOnStack(complementOf complement: UInt64) {
        // As much as lies on the stack and not elsewhere, so that what is called afterwards does not cover it all.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { words in
            unsafe words.initialize(repeating: ~complement)
        }
    }

    /// One pass, so that the first block keeps what was put into it until the end.
    @Test("Neither password nor key nor anything between them is found in the process's memory after a derivation")
    func wiped() throws {
        // Complements throughout, since the words themselves would be found here.
        let password = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let salt = Array("a salt of 32 bytes for wiping it".utf8)
        let script = """
            import hashlib, struct
            from argon2.low_level import hash_secret_raw, Type
            password, salt = [bytes.fromhex(text) for text in lines[0].split(",")]
            password = bytes(byte ^ 255 for byte in password)
            def le(number): return struct.pack("<I", number)
            start = hashlib.blake2b(
                le(1) + le(32) + le(64) + le(1) + le(0x13) + le(2) + le(len(password)) + password
                + le(len(salt)) + salt + le(0) + le(0)).digest()
            first = hashlib.blake2b(le(1024) + start + le(0) + le(0)).digest()
            key = hash_secret_raw(password, salt, 1, 64, 1, 32, Type.ID)
            # The password lies behind four bytes of its length.
            for word in struct.unpack("<27Q", password + password[4:28] + start + first + key):
                print(word ^ (2 ** 64 - 1))
            """
        let complements = try PythonOracle().answers(of: script, to: ["\(hex(password)),\(hex(salt))"])
            .compactMap(UInt64.init)
        try #require(complements.count == 27)

        let parameters = try #require(Argon2id.Parameters(memoryKibibytes: 64, passes: 1, lanes: 1))
        let (input, output) = (Words(count: 4), Words(count: 4))
        let (isDerived, isScanned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // A thread of its own, which keeps its stack as the derivation left it until the scan is done.
        Thread.detachNewThread {
            guard var memory = try? Argon2id.Memory(for: parameters) else { return }
            unsafe input.bytes.copyBytes(from: password.lazy.map { ~$0 })
            unsafe salt.withUnsafeBytes { salt in
                unsafe memory.deriveKey(from: UnsafeRawBufferPointer(input.bytes), salt: salt, into: output.bytes)
            }
            isDerived.signal()
            isScanned.wait()
            // The memory is ours still: it was wiped, not only given back.
            withExtendedLifetime(memory.parameters) {}
        }
        isDerived.wait()
        let isRight = output.areComplements(of: complements.suffix(4))
        input.wipe()
        output.wipe()
        #expect(try ProcessMemory.find(complementsOf: complements) == [])
        #expect(isRight)
        isScanned.signal()
    }

    /// Words that only their complements are compared with.
    @safe
    // Safe to send: the threads take turns, by semaphores.
    private final class Words: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer

        init(count: Int) {
            unsafe bytes = .allocate(byteCount: count * 8, alignment: 8)
        }

        deinit {
            unsafe bytes.deallocate()
        }

        func areComplements(of complements: some Sequence<UInt64>) -> Bool {
            let words = unsafe bytes.bindMemory(to: UInt64.self)
            return unsafe zip(words, complements).allSatisfy { ~$0 == $1 }
        }

        func wipe() {
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
