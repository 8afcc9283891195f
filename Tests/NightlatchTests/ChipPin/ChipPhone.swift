import Nightlatch
import NightlatchTesting

/// A device whose vault hangs on its chip, or is to. Its two stores fail together.
struct ChipPhone {
    static let secrets = ["wallet": "seed"]

    let chip: PinChipModel
    let store: FaultyStore
    let records: FaultyStore
    let clock = ManualClock()
    let keyring = ScriptedBiometrics()

    init(chip: PinChipModel = PinChipModel()) {
        self.chip = chip
        store = FaultyStore(MemoryStore())
        records = FaultyStore(MemoryStore(), failingWith: store)
    }

    /// A phone with a vault, with the chip's part from the first write on or without it.
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

    /// The vault as a new process has it.
    func vault(policy: LockoutPolicy = .login, offlinePin: OfflinePinPolicy = .refused) -> Vault {
        .forTests(
            store, clock: clock, policy: policy, biometrics: keyring, hardener: hardener, offlinePin: offlinePin)
    }

    /// A copy of both records as they stand, at the same chip, with a count of its own, after all waits.
    func image() async throws -> ChipPhone {
        let copy = ChipPhone(chip: PinChipModel(chip))
        if let record = try await store.read() { try await copy.store.replace(record, expecting: nil) }
        if let record = try await records.read() { try await copy.records.replace(record, expecting: nil) }
        copy.store.repair()
        copy.clock.advance(by: .seconds(10 * 86_400))
        return copy
    }
}

extension PinChipModel {
    /// The same chip as it stands, which goes its own way from now on.
    init(_ other: PinChipModel) {
        let copied = other.state.withLock { $0 }
        self.init()
        state.withLock { $0 = copied }
    }
}
