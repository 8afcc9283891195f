import Nightlatch
import NightlatchTesting

/// A device with a vault that uses its chip, or will use it. Its two stores fail together.
struct ChipPhone {
    static let secrets = ["wallet": "seed"]

    let chip: MemoryPinChip
    let store: FaultyStore
    let records: FaultyStore
    let clock = ManualClock()
    let keyring = ScriptedBiometrics()

    init(chip: MemoryPinChip = MemoryPinChip()) {
        self.chip = chip
        store = FaultyStore(MemoryStore())
        records = FaultyStore(MemoryStore(), failingWith: store)
    }

    /// A phone with a vault, with the chip's part from the first write or without it.
    static func made(inChip: Bool = true) async throws -> ChipPhone {
        let phone = ChipPhone()
        let vault = inChip ? phone.vault() : Vault.forTests(phone.store, clock: phone.clock, biometrics: phone.keyring)
        let open = try await vault.create(TestPin.right)
        for (name, text) in secrets { try await open.set(text, named: name) }
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        phone.store.repair()
        return phone
    }

    var hardener: ChipPinHardener { ChipPinHardener(name: "vault", chip: chip, store: records) }

    /// The vault as a new process opens it.
    func vault(policy: LockoutPolicy = .login, offlinePin: OfflinePinPolicy = .refused) -> Vault {
        .forTests(
            store, clock: clock, policy: policy, biometrics: keyring, hardener: hardener, offlinePin: offlinePin)
    }

    /// A copy of both records at a copy of the chip, which has its own count, after all waits.
    func image() async throws -> ChipPhone {
        let copy = ChipPhone(chip: MemoryPinChip(chip))
        if let record = try await store.read() { try await copy.store.replace(record, expecting: nil) }
        if let record = try await records.read() { try await copy.records.replace(record, expecting: nil) }
        copy.store.repair()
        copy.clock.advance(by: .seconds(10 * 86_400))
        return copy
    }
}

extension MemoryPinChip {
    /// Copies the chip's state. Later changes are independent.
    init(_ other: MemoryPinChip) {
        let copied = other.state.withLock { $0 }
        self.init()
        state.withLock { $0 = copied }
    }
}
