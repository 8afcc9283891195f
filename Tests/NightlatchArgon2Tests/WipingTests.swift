#if os(Linux) || os(macOS)
import CNightlatchZeroing
import Foundation
import NightlatchArgon2
import Testing

/// Each test runs in its own process: while a scan reads memory, other tests would change it.
@Suite("Memory after a derivation", .enabled(if: ProcessMemory.canBeRead, "needs /proc"))
struct WipingTests {
    @Test("The scan finds a word that is in memory")
    func control() async {
        await #expect(processExitsWith: .success) { try Self.scanForPlanted() }
    }

    @Test("Without wiping, a function's data remains on the stack")
    func stack() async {
        await #expect(processExitsWith: .success) { try Self.scanStack(isWiped: false) }
    }

    @Test("Wiping removes a function's data from the stack")
    func wipedStack() async {
        await #expect(processExitsWith: .success) { try Self.scanStack(isWiped: true) }
    }

    @Test("After a derivation, memory contains no password, key or intermediate value")
    func wiped() async {
        await #expect(processExitsWith: .success) { try Self.scanAfterDerivation() }
    }

    private static func scanForPlanted() throws {
        let complement = UInt64.random(in: .min ... .max)
        let planted = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        unsafe planted.initialize(to: ~complement)
        #expect(try ProcessMemory.find(complementsOf: [complement]) == [complement])
        unsafe planted.deallocate()
    }

    private static func scanStack(isWiped: Bool) throws {
        let complement = UInt64.random(in: .min ... .max)
        let found = try scan(for: [complement]) {
            leaveOnStack(complementOf: complement)
            if isWiped { nightlatch_zero_stack() }
        }
        #expect(found == (isWiped ? [] : [complement]))
    }

    /// Leaves the words on the stack several times, each deeper: later calls overwrite the upper ones.
    @inline(never)
    private static func leaveOnStack(complementOf complement: UInt64, times: Int = 8) {
        // At most this size is allocated on the stack.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { words in
            unsafe words.initialize(repeating: ~complement)
            if times > 1 { leaveOnStack(complementOf: complement, times: times - 1) }
        }
    }

    /// Derives with one pass, so that the first block keeps its initial content until the end.
    private static func scanAfterDerivation() throws {
        // Only complements are kept here, because a scan would find the words themselves.
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
        let found = try scan(for: complements) {
            guard var memory = try? Argon2id.Memory(for: parameters) else { return }
            unsafe input.bytes.copyBytes(from: password.lazy.map { ~$0 })
            unsafe salt.withUnsafeBytes { salt in
                unsafe memory.deriveKey(from: UnsafeRawBufferPointer(input.bytes), salt: salt, into: output.bytes)
            }
            output.isRight = output.areComplements(of: complements.suffix(4))
            input.wipe()
            output.wipe()
            // Kept unchanged, so that the scan sees whether it was wiped and not only freed.
            output.memory = consume memory
        }
        #expect(found == [])
        #expect(output.isRight)
    }

    /// Looks for the words while the thread that has run `body` waits, so that its stack stays as `body` left it.
    private static func scan(
        for complements: [UInt64], after body: @escaping @Sendable () -> Void
    ) throws -> Set<UInt64> {
        let (isDone, isScanned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            body()
            isDone.signal()
            isScanned.wait()
        }
        isDone.wait()
        defer { isScanned.signal() }
        return try ProcessMemory.find(complementsOf: complements)
    }

    /// Words that are compared only with their complements, and the memory that outlives the derivation.
    @safe
    // Safe to send: the threads take turns, by semaphores.
    private final class Words: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer
        var memory: Argon2id.Memory?
        var isRight = false

        init(count: Int) {
            unsafe bytes = .allocate(byteCount: count * 8, alignment: 8)
        }

        deinit {
            unsafe bytes.deallocate()
        }

        /// Compares byte by byte, so that no word remains on the stack.
        func areComplements(of complements: some Collection<UInt64>) -> Bool {
            let expected = complements.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
            return unsafe zip(bytes, expected).allSatisfy { ~$0 == $1 }
        }

        func wipe() {
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
#endif
