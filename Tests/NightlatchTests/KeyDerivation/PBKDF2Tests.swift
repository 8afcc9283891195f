import Foundation
import Nightlatch
import NightlatchPBKDF2
import NightlatchTesting
import Testing

@Suite("PBKDF2")
struct PBKDF2Tests {
    /// [RFC 7914, section 11](https://www.rfc-editor.org/rfc/rfc7914#section-11).
    @Test(
        "The test vectors of RFC 7914 are reproduced",
        arguments: [
            (
                "passwd", "salt", 1,
                """
                55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
                49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783
                """
            ),
            (
                "Password", "NaCl", 80_000,
                """
                4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56\
                a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d
                """
            ),
        ])
    func vectors(password: String, salt: String, iterations: Int, expected: String) throws {
        let key = unsafe try SecretBytes(byteCount: 64) { output throws(PBKDF2.Failure) in
            unsafe try Array(password.utf8).withUnsafeBufferPointer { password throws(PBKDF2.Failure) in
                unsafe try PBKDF2.deriveKey(
                    from: password, salt: Array(salt.utf8), iterations: iterations, into: output)
            }
        }
        #expect(Hex.encode(key) == expected)
    }

    #if os(Linux) || os(macOS)
    @Test(
        "Python's hashlib derives the same keys from random inputs", .enabled(if: Python.isInstalled, "needs python3"),
        arguments: [PBKDF2.Hash.sha256, .sha512])
    func againstPython(hash: PBKDF2.Hash) throws {
        var generator = SeededGenerator(seed: 7914)
        let inputs = (0..<200).map { _ in Input.random(using: &generator) }
        let script = """
            import hashlib, sys
            for line in sys.stdin:
                name, password, salt, iterations, count = line.rstrip("\\n").split(",")
                print(hashlib.pbkdf2_hmac(
                    name, bytes.fromhex(password), bytes.fromhex(salt), int(iterations), int(count)).hex())
            """
        let lines = inputs.map {
            "\(hash),\(Hex.encode($0.password)),\(Hex.encode($0.salt)),\($0.iterations),\($0.byteCount)\n"
        }
        let answers = try Python.run(script, input: lines.joined()).split(separator: "\n").map(String.init)
        #expect(try inputs.map { Hex.encode(try derive($0, hash)) } == answers)
    }
    #endif

    @Test(
        "Standard bounds accept 100,000 to 10,000,000 iterations",
        arguments: [
            (99_999, false), (100_000, true), (600_000, true), (10_000_000, true), (10_000_001, false), (0, false),
            (-1, false), (.max, false), (.min, false),
        ])
    func bounds(iterations: Int, isBelieved: Bool) {
        #expect(KeyDerivationBounds.standard.contain(.pbkdf2(iterations: iterations)) == isBelieved)
    }

    private struct Input {
        let password: [UInt8]
        let salt: [UInt8]
        let iterations: Int
        let byteCount: Int

        static func random(using generator: inout SeededGenerator) -> Input {
            func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: counts, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
            }
            return Input(
                password: bytes(1...100), salt: bytes(0...100), iterations: .random(in: 1...20, using: &generator),
                byteCount: .random(in: 1...100, using: &generator))
        }
    }

    private func derive(_ input: Input, _ hash: PBKDF2.Hash) throws(PBKDF2.Failure) -> [UInt8] {
        let key = unsafe try SecretBytes(byteCount: input.byteCount) { output throws(PBKDF2.Failure) in
            unsafe try input.password.withUnsafeBufferPointer { password throws(PBKDF2.Failure) in
                unsafe try input.salt.withUnsafeBufferPointer { salt throws(PBKDF2.Failure) in
                    unsafe try PBKDF2.deriveKey(
                        from: password, salt: salt, hash: hash, iterations: input.iterations, into: output)
                }
            }
        }
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
