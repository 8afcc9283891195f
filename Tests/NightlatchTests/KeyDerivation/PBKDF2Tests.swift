import Foundation
import Nightlatch
import NightlatchPBKDF2
import Testing

@Suite("PBKDF2")
struct PBKDF2Tests {
    /// [RFC 7914, section 11](https://www.rfc-editor.org/rfc/rfc7914#section-11).
    @Test(
        "The vectors of RFC 7914 come out",
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
        let key = try derive(
            Input(
                password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations, byteCount: 64))
        #expect(hex(key) == expected)
    }

    @Test(
        "Python's hashlib derives the same keys from random inputs", .enabled(if: Python.isInstalled, "needs python3"))
    func againstPython() throws {
        var generator = SeededGenerator(seed: 7914)
        let inputs = (0..<200).map { _ in Input.random(using: &generator) }
        let script = """
            import hashlib, sys
            for line in sys.stdin:
                password, salt, iterations, count = line.rstrip("\\n").split(",")
                print(hashlib.pbkdf2_hmac(
                    "sha256", bytes.fromhex(password), bytes.fromhex(salt), int(iterations), int(count)).hex())
            """
        let lines = inputs.map { "\(hex($0.password)),\(hex($0.salt)),\($0.iterations),\($0.byteCount)\n" }
        let answers = try Python.run(script, input: lines.joined()).split(separator: "\n").map(String.init)
        #expect(try inputs.map { hex(try derive($0)) } == answers)
    }

    @Test(
        "Standard bounds believe what lies between 100,000 and 10,000,000 iterations",
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

    private func derive(_ input: Input) throws -> [UInt8] {
        let key = unsafe try SecretBytes(byteCount: input.byteCount) { output throws(PBKDF2.Failure) in
            do {
                unsafe try input.password.withUnsafeBufferPointer { password in
                    unsafe try PBKDF2.deriveKey(
                        from: password, salt: input.salt, iterations: input.iterations, into: output)
                }
            } catch let failure as PBKDF2.Failure {
                throw failure
            } catch {
                preconditionFailure("\(error)")
            }
        }
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
