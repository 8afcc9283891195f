#if os(Linux) || os(macOS)
import NightlatchArgon2
import Testing

@Suite("Argon2id and BLAKE2b against other implementations")
struct OracleTests {
    @Test("The reference implementation of Argon2id derives the same keys from 300 random sets of inputs")
    func argon2id() throws {
        let script = """
            from argon2.low_level import ffi, lib, core
            for line in lines:
                *texts, m, t, p, count = line.split(",")
                password, salt, secret, data = [bytes.fromhex(text) for text in texts]
                out = ffi.new("uint8_t[]", int(count))
                kept = [ffi.new("uint8_t[]", value) for value in (password, salt, secret, data)]
                context = ffi.new("argon2_context *", dict(
                    out=out, outlen=int(count), version=0x13, pwd=kept[0], pwdlen=len(password),
                    salt=kept[1], saltlen=len(salt), secret=kept[2], secretlen=len(secret), ad=kept[3], adlen=len(data),
                    t_cost=int(t), m_cost=int(m), lanes=int(p), threads=1,
                    allocate_cbk=ffi.NULL, free_cbk=ffi.NULL, flags=lib.ARGON2_DEFAULT_FLAGS))
                assert core(context, 2) == 0
                print(bytes(ffi.buffer(out, int(count))).hex())
            """
        var generator = SeededGenerator(seed: 9106)
        let derivations = (0..<300).map { Derivation.random(number: $0, using: &generator) }
        let answers = try PythonOracle().answers(
            of: script,
            to: derivations.map {
                "\(hex($0.password)),\(hex($0.salt)),\(hex($0.secret)),\(hex($0.associatedData)),"
                    + "\($0.memoryKibibytes),\($0.passes),\($0.lanes),\($0.byteCount)"
            })
        #expect(answers.count == derivations.count)
        for (derivation, answer) in zip(derivations, answers) {
            #expect(hex(try derivation.key()) == answer, "\(derivation)")
        }
    }

    @Test("Python's hashlib computes the same BLAKE2b hashes, for any length and any split into pieces")
    func blake2b() throws {
        var generator = SeededGenerator(seed: 7693)
        let counts =
            [0, 1, 127, 128, 129, 255, 256, 257, 100_000]
            + (0..<300).map { _ in .random(in: 0...400, using: &generator) }
        let messages = counts.map { count in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        let byteCounts = messages.indices.map { $0 < 128 ? $0 / 2 + 1 : Int.random(in: 1...64, using: &generator) }
        let script = """
            import hashlib
            for line in lines:
                message, count = line.split(",")
                print(hashlib.blake2b(bytes.fromhex(message), digest_size=int(count)).hexdigest())
            """
        let answers = try PythonOracle().answers(
            of: script, to: zip(messages, byteCounts).map { message, count in "\(hex(message)),\(count)" })
        #expect(answers.count == messages.count)
        for ((message, byteCount), answer) in zip(zip(messages, byteCounts), answers) {
            let hash = blake2b(of: message, byteCount: byteCount, using: &generator)
            #expect(hex(hash) == answer, "\(message.count) bytes to \(byteCount)")
        }
    }

    private func blake2b(of message: [UInt8], byteCount: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: BLAKE2b.memoryByteCount, alignment: 16)
        defer { unsafe memory.deallocate() }
        var hash = unsafe BLAKE2b(outputByteCount: byteCount, in: memory)
        var rest = message[...]
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...300, using: &generator))
            unsafe piece.withUnsafeBytes { bytes in unsafe hash.update(bytes) }
            rest = rest.dropFirst(piece.count)
        }
        var output = [UInt8](repeating: 0, count: byteCount)
        unsafe output.withUnsafeMutableBytes { output in unsafe hash.finish(into: output) }
        return output
    }
}

extension Derivation {
    /// Random inputs, mostly small. Some have segments so long that one block of addresses is not enough.
    fileprivate static func random(number: Int, using generator: inout SeededGenerator) -> Derivation {
        func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: counts, using: &generator)).map { _ in .random(in: .min ... .max, using: &generator) }
        }
        let isLarge = number.isMultiple(of: 50)
        let lanes = Int.random(in: 1...(isLarge ? 2 : 4), using: &generator)
        return Derivation(
            password: bytes(0...200), salt: bytes(8...64), secret: bytes(0...40), associatedData: bytes(0...60),
            memoryKibibytes: lanes * .random(in: isLarge ? 500...1200 : 8...24, using: &generator),
            passes: isLarge ? 1 : .random(in: 1...4, using: &generator), lanes: lanes,
            byteCount: number < 150 ? number + 4 : 32)
    }
}
#endif
