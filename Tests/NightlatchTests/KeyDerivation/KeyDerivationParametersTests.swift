import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Key derivation parameters")
struct KeyDerivationParametersTests {
    @Test("A new PIN is stretched by Argon2id with 64 MiB, three passes and one lane")
    func defaultParameters() {
        #expect(KeyDerivationParameters.default == .argon2id(memoryKibibytes: 65_536, passes: 3, lanes: 1))
        #expect(KeyDerivationBounds.standard.contain(.default))
        #expect(KeyDerivationParameters.pbkdf2Default == .pbkdf2(iterations: 600_000))
    }

    @Test(
        "Parameters have one encoding",
        arguments: [
            (
                KeyDerivationParameters.argon2id(memoryKibibytes: 65_536, passes: 3, lanes: 1),
                #"{"algorithm":"argon2id","lanes":1,"memory_kib":65536,"passes":3}"#
            ),
            (.pbkdf2(iterations: 600_000), #"{"algorithm":"pbkdf2-hmac-sha256","iterations":600000}"#),
        ])
    func coding(parameters: KeyDerivationParameters, text: String) throws {
        #expect(String(decoding: StrictJSON.encode(parameters), as: UTF8.self) == text)
        let limits = JSONLimits(byteCount: 1000, depth: 2)
        #expect(
            try StrictJSON.decode(KeyDerivationParameters.self, from: Array(text.utf8), limits: limits) == parameters)
    }

    @Test(
        "Standard bounds accept exactly OWASP's equivalent parameters and stronger ones up to the maximum",
        arguments: [
            (47_104, 1, 1, true), (19_456, 2, 1, true), (12_288, 3, 1, true), (9216, 4, 1, true), (7168, 5, 1, true),
            (65_536, 3, 4, true), (1_048_576, 16, 1, true), (7167, 5, 1, false), (7167, 100, 1, false),
            (7168, 4, 1, false),
            (35_839, 1, 1, false), (35_840, 1, 1, true), (1_048_577, 1, 1, false), (1_048_576, 17, 1, false),
            (16_777_216, 1, 1, false), (65_536, 3, 5, false), (65_536, 3, 0, false), (65_536, 0, 1, false),
            (65_536, -3, 1, false), (.max, .max, 1, false), (.min, .min, 1, false), (65_536, 3, .max, false),
        ])
    func argon2idBounds(memoryKibibytes: Int, passes: Int, lanes: Int, areBelieved: Bool) {
        let parameters = KeyDerivationParameters.argon2id(
            memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        #expect(KeyDerivationBounds.standard.contain(parameters) == areBelieved)
    }

    @Test(
        "Parameters are weaker if a guess costs less: fewer iterations, less memory, or more guesses a second",
        arguments: [
            (.pbkdf2(iterations: 10_000_000), .argon2id(memoryKibibytes: 7168, passes: 5, lanes: 1), false),
            (.argon2id(memoryKibibytes: 7168, passes: 5, lanes: 1), .pbkdf2(iterations: 10_000_000), true),
            (.pbkdf2Default, .argon2id(memoryKibibytes: 7168, passes: 5, lanes: 1), true),
            (.pbkdf2Default, .default, true),
            (.default, .pbkdf2Default, false),
            (.pbkdf2(iterations: 599_999), .pbkdf2(iterations: 600_000), true),
            (.pbkdf2(iterations: 600_000), .pbkdf2(iterations: 600_000), false),
            (.default, .default, false),
            (.argon2id(memoryKibibytes: 65_535, passes: 3, lanes: 1), .default, true),
            (.argon2id(memoryKibibytes: 65_535, passes: 4, lanes: 1), .default, false),
            (.default, .argon2id(memoryKibibytes: 65_535, passes: 4, lanes: 1), false),
            (.argon2id(memoryKibibytes: 65_536, passes: 2, lanes: 1), .default, true),
            (.argon2id(memoryKibibytes: 131_072, passes: 1, lanes: 1), .default, false),
            (.default, .argon2id(memoryKibibytes: 131_072, passes: 1, lanes: 1), false),
            (.default, .argon2id(memoryKibibytes: 131_072, passes: 2, lanes: 1), true),
            (.argon2id(memoryKibibytes: 131_072, passes: 2, lanes: 1), .default, false),
            (.argon2id(memoryKibibytes: 65_536, passes: 3, lanes: 4), .default, false),
            (.default, .argon2id(memoryKibibytes: 65_536, passes: 3, lanes: 4), false),
            (
                .argon2id(memoryKibibytes: .max, passes: 1, lanes: 1),
                .argon2id(memoryKibibytes: .max, passes: .max, lanes: 1), true
            ),
        ] as [(KeyDerivationParameters, KeyDerivationParameters, Bool)])
    func weaker(stored: KeyDerivationParameters, wanted: KeyDerivationParameters, isWeaker: Bool) {
        #expect(stored.isWeaker(than: wanted) == isWeaker)
    }

    @Test("A vault under Argon2id opens with its PIN alone, and its PIN can be changed")
    func vault() async throws {
        let store = MemoryStore()
        let vault = Vault(
            store: store, clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .cheapArgon2id, keyDerivationBounds: .forTests))
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        #expect(
            try await store.json()["sealed", "slots", "pin", "key_derivation"]
                == .object([
                    "algorithm": .string("argon2id"), "memory_kib": .unsigned(8), "passes": .unsigned(1),
                    "lanes": .unsigned(1),
                ]))
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        try await vault.changePin(TestPin.right, to: TestPin.new)
        #expect(try await vault.unlock(TestPin.new).texts() == ["wallet": "seed"])
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
    }

    @Test("A vault made under PBKDF2 opens, and is sealed again under Argon2id if the app requests it")
    func older() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("seed", named: "wallet")
        let vault = Vault.forTests(store, keyDerivation: .cheapArgon2id)
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        #expect(try await vault.protection()?.keyDerivation == .cheapArgon2id)
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
    }

    @Test("A vault under Argon2id stays as it is if the app requests PBKDF2")
    func newer() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store, keyDerivation: .cheapArgon2id).create(TestPin.right)
        try await Vault.forTests(store, keyDerivation: .pbkdf2(iterations: 100)).unlock(TestPin.right)
        #expect(try await Vault.forTests(store).protection()?.keyDerivation == .cheapArgon2id)
    }
}
