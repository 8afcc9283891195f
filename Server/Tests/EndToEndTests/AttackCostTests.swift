import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("Attack cost at the command line", .timeLimit(.minutes(10)))
struct AttackCostTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let vault = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2(iterations: 600_000)))
        await (try vault.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))).lock()
    }

    @Test("The command reads the vault's parameters without a PIN and does not change the vault")
    func ownVault() async throws {
        let before = try folder.vaultBytes()
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.home)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(try folder.vaultBytes() == before)
        for text in [
            "Vault: \(folder.vault)", "PBKDF2-HMAC-SHA256, 600,000 iterations",
            "14,681 a second on one NVIDIA RTX 4090",
            "88,000 a second at 100,100 iterations", "J. Gosney", "two-party PIN", "file can be copied",
        ] {
            #expect(outcome.output.contains(text), "\(outcome.output)")
        }
        #expect(
            rows(outcome) == [
                ["4", "0.34 s", "0.68 s", "11.7 %", "0.3 s", "0.6 s"],
                ["6", "34 s", "68 s", "11.4 %", "30 s", "60 s"],
                ["8", "57 min", "114 min", "0.2 %", "57 min", "113 min"],
            ])
    }

    @Test("Parameters can be given by hand when there is no vault")
    func byHand() async throws {
        let outcome = try await Nightlatch.run(
            "attack-cost", "--home", folder.path + "/none", "--key-derivation", "pbkdf2-hmac-sha256,iterations=10000000"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("Vault:"))
        #expect(
            rows(outcome) == [
                ["4", "5.7 s", "11 s", "11.7 %", "5 s", "10 s"],
                ["6", "9.5 min", "19 min", "11.4 %", "8.4 min", "17 min"],
                ["8", "16 hours", "32 hours", "0.2 %", "16 hours", "31 hours"],
            ])
    }

    @Test("The name of a function alone means its default parameters")
    func byName() async throws {
        let outcome = try await Nightlatch.run("attack-cost", "--key-derivation", "argon2id")
        #expect(outcome.output.contains("Argon2id, 65,536 KiB, 3 passes, 1 lane"), "\(outcome.output)")
        #expect(
            rows(outcome).map { [$0[0], $0[2]] } == [["4", "6 s"], ["6", "10 min"], ["8", "17 hours"]])
    }

    @Test("The next unlock stretches the PIN again when more is asked for than the vault has")
    func raised() async throws {
        let wanted = "argon2id,memory_kib=7168,passes=5,lanes=1"
        let unlocked = try await folder.device("unlock", "--key-derivation", wanted, pins: ["295038"])
        #expect(unlocked.status == 0, "\(unlocked.errors)")
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.home)
        #expect(outcome.output.contains("Argon2id, 7,168 KiB, 5 passes, 1 lane"), "\(outcome.output)")
    }

    @Test("The JSON output has the same numbers")
    func json() async throws {
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.home, "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.vault == folder.vault && report.isDeviceBound == false)
        #expect(report.keyDerivation == .pbkdf2(iterations: 600_000))
        #expect(report.measuredGuessesPerSecond == 88_000 && report.hardware == "NVIDIA RTX 4090")
        #expect(report.pins.map(\.digits) == [4, 6, 8])
        #expect(report.pins.map(\.commonCount) == [1_166, 114_109, 249_347])
        // Computed by hand: 10^6 × 600,000 ÷ (88,000 × 100,100).
        #expect(68.113..<68.114 ~= report.pins[1].all["whole_seconds"] ?? 0)
        #expect(34.056..<34.057 ~= report.pins[1].all["expected_seconds"] ?? 0)
        #expect(60.341..<60.342 ~= report.pins[1].withoutCommon["whole_seconds"] ?? 0)
        #expect(report.notIncluded.count == 4 && report.source.contains("Gosney"))
    }

    @Test(
        "A malformed key derivation, or one that no vault may have, is a usage error",
        arguments: [
            ("pbkdf2-hmac-sha256,iterations=99999", "outside the range that a vault allows"),
            ("pbkdf2-hmac-sha256,iterations=-1", "outside the range that a vault allows"),
            ("pbkdf2-hmac-sha256,iterations=9223372036854775807", "outside the range that a vault allows"),
            ("argon2id,memory_kib=16777216,passes=3,lanes=1", "outside the range that a vault allows"),
            ("argon2id,memory_kib=65536,passes=3", "is not a key derivation"),
            ("argon2i", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=six", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=600000=1", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=9223372036854775808", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=600000,iterations=600000", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,iterations=600000,lanes=1", "is not a key derivation"),
            ("pbkdf2-hmac-sha256,algorithm=1,iterations=600000", "is not a key derivation"),
            ("md5,iterations=600000", "is not a key derivation"),
            ("", "is not a key derivation"),
        ])
    func usage(argument: String, message: String) async throws {
        let outcome = try await Nightlatch.run("attack-cost", "--key-derivation", argument)
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("Without a vault the command reports an error")
    func noVault() async throws {
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.path + "/none")
        #expect(outcome.status == 1 && outcome.errors.contains("no vault here") && outcome.output.isEmpty)
    }

    @Test("For a vault with a blocked PIN the command reports an error")
    func endedPin() async throws {
        let strict = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(
                lockoutPolicy: try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1)], limit: 1)))
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
            _ = try await strict.unlock(with: try Pin(digits: SecretBytes(copying: Array("860527".utf8))))
        }
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.home)
        #expect(outcome.status == 1 && outcome.errors.contains("No PIN opens") && outcome.output.isEmpty)
    }

    @Test("A vault with parameters below the minimum is refused, not calculated")
    func planted() async throws {
        let store = FileStore(path: folder.vault)
        let record = try #require(try await store.read())
        let cheap = String(decoding: record.bytes, as: UTF8.self)
            .replacing("\"iterations\":600000", with: "\"iterations\":1")
        try await store.replace(
            StoredRecord(revision: record.revision, bytes: Array(cheap.utf8)), expecting: record.revision)
        let outcome = try await Nightlatch.run("attack-cost", "--home", folder.home)
        #expect(outcome.status == 1 && outcome.errors.contains("another program changed it") && outcome.output.isEmpty)
    }

    @Test("The doctor reports the same cost of six digits")
    func doctor() async throws {
        let outcome = try await Nightlatch.run("doctor", "--home", folder.home)
        for text in [
            "The PIN is stretched by PBKDF2-HMAC-SHA256, 600,000 iterations; `nightlatch",
            "A thief of this disk needs only time: one NVIDIA RTX 4090 tries all six-digit PINs in 68 s",
            "A thief of the server needs this device's files",
        ] { #expect(outcome.output.contains(text), "\(outcome.output)") }
    }

    /// Returns the table's rows; each cell keeps its unit.
    private func rows(_ outcome: Outcome) -> [[String]] {
        outcome.output.split(separator: "\n").filter { $0.hasPrefix("     ") && $0.contains("%") }.map { line in
            line.trimmingCharacters(in: .whitespaces).replacing(/\ {2,}/, with: "|").split(separator: "|").map(
                String.init)
        }
    }

    private struct Report: Decodable {
        struct Pins: Decodable {
            let digits: Int
            let commonCount: Int
            let all: [String: Double]
            let withoutCommon: [String: Double]

            enum CodingKeys: String, CodingKey {
                case digits, all
                case commonCount = "common_count"
                case withoutCommon = "without_common"
            }
        }

        let vault: String?
        let isDeviceBound: Bool?
        let keyDerivation: KeyDerivationParameters
        let hardware: String
        let measuredGuessesPerSecond: Int
        let source: String
        let pins: [Pins]
        let notIncluded: [String]

        enum CodingKeys: String, CodingKey {
            case vault, hardware, source, pins
            case isDeviceBound = "device_bound"
            case keyDerivation = "key_derivation"
            case measuredGuessesPerSecond = "measured_guesses_per_second"
            case notIncluded = "not_included"
        }
    }
}
