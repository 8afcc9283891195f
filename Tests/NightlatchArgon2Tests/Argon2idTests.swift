import NightlatchArgon2
import Testing

@Suite("Argon2id")
struct Argon2idTests {
    /// [RFC 9106, section 5.3](https://www.rfc-editor.org/rfc/rfc9106#section-5.3).
    private let vector = Derivation(
        password: Array(repeating: 1, count: 32), salt: Array(repeating: 2, count: 16),
        secret: Array(repeating: 3, count: 8), associatedData: Array(repeating: 4, count: 12), memoryKibibytes: 32,
        passes: 3, lanes: 4, byteCount: 32)
    private let vectorKey = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"

    @Test("A derivation reproduces the test vector of RFC 9106")
    func rfcVector() throws {
        #expect(hex(try vector.key()) == vectorKey)
    }

    @Test("Memory can be reused for several derivations")
    func reuse() throws {
        let parameters = try #require(Argon2id.Parameters(memoryKibibytes: 32, passes: 3, lanes: 4))
        var memory = try Argon2id.Memory(for: parameters)
        var other = vector
        other.password[0] = 9
        let first = other.derive(in: &memory)
        #expect(hex(vector.derive(in: &memory)) == vectorKey)
        #expect(other.derive(in: &memory) == first)
    }

    @Test("A change of any input or parameter changes the key")
    func inputsMatter() throws {
        let changes: [(inout Derivation) -> Void] = [
            { _ in }, { $0.password[31] ^= 1 }, { $0.salt[15] ^= 1 }, { $0.secret[7] ^= 1 },
            { $0.associatedData[11] ^= 1 },
            { $0.memoryKibibytes += 1 }, { $0.memoryKibibytes += 16 }, { $0.passes += 1 }, { $0.lanes -= 1 },
            { $0.byteCount += 1 }, { $0.secret.removeLast() }, { $0.associatedData.append(0) },
        ]
        var keys: Set<String> = []
        for change in changes {
            var changed = vector
            change(&changed)
            keys.insert(hex(try changed.key().prefix(32)))
        }
        #expect(keys.count == changes.count)
    }

    @Test(
        "Parameters outside of RFC 9106 are refused",
        arguments: [
            (8, 1, 1, true), (7, 1, 1, false), (32, 1, 4, true), (31, 1, 4, false), (8, 0, 1, false), (8, 1, 0, false),
            (8, -1, 1, false), (8, 1, -1, false), (-8, 1, 1, false), (0xFFFF_FFFF, 0xFFFF_FFFF, 0xFF_FFFF, true),
            (0x1_0000_0000, 1, 1, false), (8, 0x1_0000_0000, 1, false), (0xFFFF_FFFF, 1, 0x100_0000, false),
            (.max, 1, 1, false), (8, .max, 1, false), (.max, 1, .max, false), (.min, 1, 1, false), (8, 1, .min, false),
        ])
    func parameters(memoryKibibytes: Int, passes: Int, lanes: Int, exist: Bool) {
        let parameters = Argon2id.Parameters(memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        #expect((parameters != nil) == exist)
    }

    @Test(
        "Memory that the system does not have is reported as unavailable",
        .enabled(if: ProcessMemory.isNotPromisedBlindly))
    func memoryUnavailable() throws {
        let parameters = try #require(Argon2id.Parameters(memoryKibibytes: 0xFFFF_FFFF, passes: 1, lanes: 1))
        do throws(Argon2id.MemoryUnavailable) {
            _ = try Argon2id.Memory(for: parameters)
            Issue.record("4 TiB were had")
        } catch {
            #expect(error.byteCount > 0xFFFF_FF00 * 1024)
            #expect(error.status == ProcessMemory.noMemory)
        }
    }
}
