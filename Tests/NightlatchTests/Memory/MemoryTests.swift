#if os(Linux) || os(macOS)
import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchVaultProcess
import NightlatchWire
import Testing

/// A separate process uses a vault, and then searches all of its memory for bytes that should be gone. It gets the
/// needles masked, so that it does not find its own copies.
@Suite(
    "Secrets in memory",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs /proc/self/mem, which Linux has"))
struct MemoryTests {
    private static let pin = "739105826417"
    private static let newPin = "284617350948"
    private static let wrongPin = "615294830762"
    private static let secret = "1xQz0-7Lw4hB9~Tn3_Rk6vYp2:Jm5"
    /// Words of at most five letters: no eight letters of the phrase occur in the word list, which is in memory too.
    private static let phrase = "pair fade shine bone chair zero copy rent build vote hen ankle"
    /// The protection of a PIN at the lowest cost that a vault accepts, in a process of one build.
    struct Protector: CustomTestStringConvertible, Sendable {
        var keyDerivation = KeyDerivationParameters.pbkdf2(iterations: 100_000)
        var hardening: VaultHardening?
        var build = VaultProcess.Build.debug

        var testDescription: String { "\(keyDerivation)\(hardening.map { ", \($0.rawValue)" } ?? ""), \(build)" }

        static var all: [Protector] {
            VaultProcess.Build.made.flatMap { build in
                [.argon2id(memoryKibibytes: 7168, passes: 5, lanes: 1), .pbkdf2(iterations: 100_000)].flatMap { cost in
                    ([nil] + VaultHardening.allCases).map {
                        Protector(keyDerivation: cost, hardening: $0, build: build)
                    }
                }
            }
        }
    }
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/vault" }

    @Test(
        "Memory contains nothing of the PIN or its keys, while the vault is open and afterwards",
        arguments: Protector.all)
    func rightPin(protector: Protector) async throws {
        let keys = try await makeVault(protector)
        let needles = Self.needles(keys, pin: Self.pin)
        #expect(try await find(needles, when: .open, protector) == [:])
        let all = try needles.merging(Self.vaultNeedles(keys)) { needle, _ in needle }
        #expect(try await find(all, when: .locked, protector) == [:])
    }

    @Test("Memory contains nothing of a wrong PIN or its keys", arguments: Protector.all)
    func wrongPin(protector: Protector) async throws {
        _ = try await makeVault(protector)
        let keys = try await keys(protector, pin: Self.wrongPin)
        #expect(keys.vaultKey == nil)
        let needles = Self.needles(keys, pin: Self.wrongPin)
        #expect(try await find(needles, when: .refused, protector, pin: Self.wrongPin) == [:])
    }

    @Test(
        "The vault key is in memory while the vault is open; after locking, its keys and the secrets are gone too",
        arguments: VaultProcess.Build.made)
    func vaultKey(build: VaultProcess.Build) async throws {
        let protector = Protector(build: build)
        let keys = try await makeVault(protector)
        let needles = try [
            "vault key": #require(keys.vaultKey), "MAC key": #require(keys.macKey),
            "item key": #require(keys.itemKey("seed")), "new item key": #require(keys.itemKey("other")),
            "secret": Array(Self.secret.utf8),
        ]
        // A needle that is found shows that the others would be found.
        #expect(try await find(needles, when: .open, protector) == ["vault key": 32 - 7])
        #expect(try await find(needles, when: .locked, protector) == [:])
    }

    @Test("A PIN that was just set or changed leaves nothing in memory", arguments: Protector.all)
    func newPin(protector: Protector) async throws {
        #expect(try await find(["PIN": Array(Self.pin.utf8)], when: .created, protector) == [:])
        try FileManager.default.removeItem(atPath: path)
        let keys = try await makeVault(protector)
        var needles = try Self.needles(keys, pin: Self.pin).merging(Self.vaultNeedles(keys)) { needle, _ in needle }
        needles["new PIN"] = Array(Self.newPin.utf8)
        #expect(try await find(needles, when: .changed, protector) == [:])
    }

    @Test("A recovery phrase and its keys leave nothing in memory", arguments: VaultProcess.Build.made)
    func recovery(build: VaultProcess.Build) async throws {
        let protector = Protector(build: build)
        let keys = try await makeVault(protector)
        let record = try await FileStore(path: path).json()
        let encapsulated = try #require(
            record["sealed", "slots", "recovery", "encapsulated_key"]?.text.flatMap { Base64URL.decode($0) })
        let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(Self.phrase.utf8)))
        let seed = try phrase.seed()
        let agreed = try phrase.recoveryKeys().hidden.sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: encapsulated))
        let needles = try [
            "phrase": Array(Self.phrase.utf8), "vault key": #require(keys.vaultKey),
            "entropy": unsafe phrase.entropy.withUnsafeBytes { unsafe Array($0) },
            "seed": unsafe seed.withUnsafeBytes { unsafe Array($0) },
            "recovery key": Array(phrase.recoveryKeys().hidden.rawRepresentation),
            "agreed secret": unsafe agreed.withUnsafeBytes { unsafe Array($0) },
            "former recovery key": Array(phrase.recoveryKeys().readable.rawRepresentation),
            "new PIN": Array(Self.newPin.utf8),
        ]
        #expect(try await find(needles, when: .recovered, protector) == [:])
    }

    @Test("Wallet keys that have signed leave nothing in memory", arguments: VaultProcess.Build.made)
    func wallet(build: VaultProcess.Build) async throws {
        let protector = Protector(build: build)
        let keys = try await makeVault(protector)
        let (scalar, seed) = (P256.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let open = try await Vault(
            store: FileStore(path: path), clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2(iterations: 100_000))
        )
        .unlock(Self.pin)
        for (name, kind, key) in [
            ("p256", .p256, scalar.rawRepresentation), ("ed25519", .ed25519, seed.rawRepresentation),
        ] as [(WalletKeyName, WalletKeyKind, Data)] {
            try await open.importWalletKey(SecretBytes(copying: Array(key)), named: name, kind: kind)
        }
        let needles = [
            "P-256 key": Array(scalar.rawRepresentation), "reversed P-256 key": scalar.rawRepresentation.reversed(),
            "Ed25519 seed": Array(seed.rawRepresentation),
            "Ed25519 scalar": Array(SHA512.hash(data: seed.rawRepresentation).prefix(32)),
            "Ed25519 prefix": Array(SHA512.hash(data: seed.rawRepresentation).suffix(32)),
            "vault key": try #require(keys.vaultKey),
        ]
        #expect(try await find(needles, when: .signed, protector) == [:])
    }

    @Test(
        "The search finds a PIN in zeroing memory and in common memory, and not a released one",
        arguments: VaultProcess.Build.made)
    func control(build: VaultProcess.Build) async throws {
        let protector = Protector(build: build)
        let needles = ["PIN": Array(Self.pin.utf8), "other": Array(Self.wrongPin.utf8)]
        #expect(try await find(needles, when: .held, protector) == ["PIN": 12 - 7])
        #expect(try await find(needles, when: .copied, protector) == ["PIN": 12 - 7])
        #expect(try await find(needles, when: .letGo, protector) == [:])
    }

    /// A vault with one secret, which the PIN and the phrase open.
    private func makeVault(_ protector: Protector = Protector()) async throws -> VaultKeys {
        let store = FileStore(path: path)
        let vault = Vault(
            store: store, clock: ManualClock(), hardener: try protector.hardening?.hardener(ofVaultAt: path),
            configuration: VaultConfiguration(
                pinPolicy: try PinPolicy(lengths: Pin.lengths), keyDerivation: protector.keyDerivation))
        let open = try await vault.create(Self.pin)
        try await open.set(Self.secret, named: "seed")
        try await open.setUpRecovery(Self.phrase)
        return try await keys(protector, pin: Self.pin)
    }

    /// The keys that a PIN leads to in the existing vault.
    private func keys(_ protector: Protector, pin: String) async throws -> VaultKeys {
        let record = try await FileStore(path: path).json()
        guard let hardening = protector.hardening else { return try VaultKeys(record, pin: pin) }
        let (input, epoch) = try VaultKeys.hardenerInput(record, pin: pin)
        let answer = try await hardening.hardener(ofVaultAt: path).harden(
            SecretBytes(copying: input), for: epoch, in: nil)
        return try VaultKeys(record, pin: pin, hardenedTo: unsafe answer.key.withUnsafeBytes { unsafe Array($0) })
    }

    /// The bytes of a PIN and its keys.
    private static func needles(_ keys: VaultKeys, pin: String) -> [String: [UInt8]] {
        var needles = [
            "PIN": Array(pin.utf8), "stretched PIN": keys.stretchedPin, "pseudorandom key": keys.pseudorandomKey,
            "PIN key": keys.pinKey, "wrapping key": keys.wrappingKey,
        ]
        needles["hardener's output"] = keys.hardenerOutput
        needles["knowledge wrapping key"] = keys.knowledgeWrappingKey
        return withPaddedKeys(needles)
    }

    /// The bytes of the vault key, its keys and the knowledge key, also in the number format of BoringSSL.
    private static func vaultNeedles(_ keys: VaultKeys) throws -> [String: [UInt8]] {
        var needles = try [
            "vault key": #require(keys.vaultKey), "vault pseudorandom key": #require(keys.vaultPseudorandomKey),
            "MAC key": #require(keys.macKey), "recipients key": #require(keys.recipientsKey),
            "item key": #require(keys.itemKey("seed")), "new item key": #require(keys.itemKey("other")),
        ]
        needles["knowledge key"] = keys.knowledgeKey
        needles["reversed knowledge key"] = keys.knowledgeKey?.reversed()
        return withPaddedKeys(needles)
    }

    /// The needles, and the forms in which HMAC keeps a key.
    private static func withPaddedKeys(_ needles: [String: [UInt8]]) -> [String: [UInt8]] {
        var all = needles
        for (name, key) in needles {
            all["inner \(name)"] = key.map { $0 ^ 0x36 }
            all["outer \(name)"] = key.map { $0 ^ 0x5C }
        }
        return all
    }

    /// The number of different eight-byte sequences of each needle in the memory of a process at that moment.
    private func find(
        _ needles: [String: [UInt8]],
        when moment: MemoryInspection.Moment,
        _ protector: Protector = Protector(),
        pin: String = Self.pin
    ) async throws -> [String: Int] {
        let mask = UInt32.random(in: .min ... .max)
        let inspection = MemoryInspection(
            moment, keyDerivation: protector.keyDerivation, hardening: protector.hardening,
            pin: SplitBytes(Array(pin.utf8)),
            newPin: SplitBytes(Array(Self.newPin.utf8)),
            phrase: SplitBytes(Array(Self.phrase.utf8)),
            needles: needles.map { MaskedNeedle($0.key, $0.value, mask: mask) }, mask: mask)
        let output = try await VaultProcess.output(
            .lookIntoMemory, path: path, input: try JSONEncoder().encode(inspection), build: protector.build)
        let findings = try JSONDecoder().decode(MemoryFindings.self, from: output)
        #expect(findings.byteCount > 1 << 20)
        return findings.windowCounts
    }
}
#endif
