import Nightlatch
import NightlatchTPM
import NightlatchTesting
import NightlatchWire
import Testing

/// Only the chip differs from the vaults over models: these tests cover the behaviour of the chip itself.
@Suite("A vault with its PIN in a TPM, which counts", .serialized)
struct TPMVaultTests {
    private static let right = "482915"
    private static let wrong = "739164"
    private static let new = "605837"

    /// A machine with a vault. Its stores fail together.
    private struct Machine {
        let chip: SoftwareTPM
        let store: FaultyStore
        let records: FaultyStore
        let clock = ManualClock()

        init(_ chip: SoftwareTPM) {
            self.chip = chip
            store = FaultyStore(MemoryStore())
            records = FaultyStore(MemoryStore(), failingWith: store)
        }

        /// The vault as a new process opens it, on this machine or on another.
        func vault(on other: SoftwareTPM? = nil, countProtection: TPMCountProtection = .lockoutPassword) -> Vault {
            Vault(
                store: store, clock: clock,
                hardener: ChipPinHardener.tpm(
                    name: "vault", (other ?? chip).tpm, store: records, countProtection: countProtection),
                configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        }
    }

    private func machine() async throws -> Machine {
        let chip = try await SoftwareTPM.start()
        try await chip.setLockoutPassword()
        return Machine(chip)
    }

    private func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

    /// The error of a PIN that does not open the vault.
    private func failure(_ vault: Vault, _ digits: String) async throws -> UnlockError? {
        let pin = try pin(digits)
        do {
            _ = try await vault.unlock(with: pin)
            return nil
        } catch {
            return error
        }
    }

    private func secret(in open: OpenVault) async throws -> [UInt8]? {
        guard let secret = try await open.secret(named: "wallet") else { return nil }
        return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }

    @Test("The hardener in a TPM passes every hardener conformance check", arguments: PinHardenerConformance.allCases)
    func conformance(promise: PinHardenerConformance) async throws {
        let (machine, records) = (try await machine(), MemoryStore())
        let makeHardener = { @Sendable in ChipPinHardener.tpm(name: "vault", machine.chip.tpm, store: records) }
        try await promise.check(
            HardenedTestDevice(
                try #require(makeHardener().ownDevice), key: KnowledgeKey.random(), makeHardener: makeHardener))
    }

    @Test("The right PIN opens the vault, also after losses of power, and the TPM itself counts wrong PINs")
    func counted() async throws {
        let machine = try await machine()
        let made = try await machine.vault().create(with: try pin(Self.right))
        try await made.set(SecretBytes(copying: [1, 2, 3]), named: "wallet")
        #expect(await made.pinTier == .chip)
        #expect(try await machine.chip.tpm.lockout().wrongCount == 0)
        let copy = (try await machine.store.read(), try await machine.records.read())

        #expect(try await failure(machine.vault(), Self.wrong) == .refused(.wrong(triesLeft: 9, wait: nil)))
        #expect(try await machine.chip.tpm.lockout().wrongCount == 1)
        let open = try await machine.vault().unlock(with: try pin(Self.right))
        #expect(try await secret(in: open) == [1, 2, 3])
        // A right PIN does not reduce the TPM's count.
        #expect(try await machine.chip.tpm.lockout().wrongCount == 1)

        try await machine.chip.losePower()
        try await machine.store.erase()
        try await machine.records.erase()
        // Old copies of all files have the vault's old count, but not the TPM's.
        try await machine.store.replace(try #require(copy.0), expecting: nil)
        try await machine.records.replace(try #require(copy.1), expecting: nil)
        let before = try await machine.chip.tpm.lockout().wrongCount
        #expect(before >= 1)
        #expect(try await failure(machine.vault(), Self.wrong) != nil)
        #expect(try await machine.chip.tpm.lockout().wrongCount == before + 1)
    }

    @Test("A locked TPM reports how long it is locked, and after that the right PIN opens the vault")
    func lockout() async throws {
        let machine = try await machine()
        _ = try await machine.vault().create(with: try pin(Self.right))
        try await machine.chip.setLockout(limit: 2, secondsPerForgottenTry: 600, isProtected: true)
        #expect(try await failure(machine.vault(), Self.wrong) == .refused(.wrong(triesLeft: 9, wait: nil)))
        #expect(
            try await failure(machine.vault(), Self.wrong) == .refused(.wrong(triesLeft: 8, wait: .seconds(600))))
        // An attempt that the TPM does not test is not charged by the vault.
        for digits in [Self.right, Self.wrong] {
            #expect(
                try await failure(machine.vault(), digits) == .refused(.waiting(.seconds(600), triesLeft: 8)))
        }
        try await machine.chip.resetLockout()
        _ = try await machine.vault().unlock(with: try pin(Self.right))
        // At a limit of zero, only another limit ends the lock.
        try await machine.chip.setLockout(limit: 0, secondsPerForgottenTry: 600, isProtected: true)
        #expect(try await failure(machine.vault(), Self.right) == .vault(.hardener(.lockedOut(wait: nil))))
    }

    @Test("At another TPM no PIN opens the vault, the error says so, and no attempt is charged")
    func otherTPM() async throws {
        let machine = try await machine()
        let other = try await SoftwareTPM.start()
        _ = try await machine.vault().create(with: try pin(Self.right))
        for digits in [Self.right, Self.wrong] {
            #expect(try await failure(machine.vault(on: other), digits) == .vault(.hardener(.chip(.otherChip))))
        }
        #expect(try await other.tpm.lockout().wrongCount == 0)
        #expect(try await machine.vault().state() == .ready(triesLeft: 10))
        let gone = Vault(
            store: machine.store, clock: machine.clock,
            hardener: ChipPinHardener.tpm(
                name: "vault", TPM(interface: "device:/dev/nightlatch-has-no-such-tpm"), store: machine.records),
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        let failure = try await failure(gone, Self.right)?.cause?.cause as? PinHardenerError
        guard case .chip(.absent(let reason)) = failure else {
            Issue.record("a missing TPM was not told as such")
            return
        }
        #expect(reason == TPMError.noTPM.description)
    }

    @Test("No vault is created over a TPM with an unprotected count, unless the app allows it, and the error says why")
    func uncounted() async throws {
        let machine = Machine(try await SoftwareTPM.start())
        do {
            _ = try await machine.vault().create(with: try pin(Self.right))
            Issue.record("a vault was made in a TPM whose count anybody can reset")
        } catch let error as CreateVaultError {
            guard case .chip(.uncounted(let reason)) = error.cause?.cause as? PinHardenerError else { throw error }
            #expect(reason.contains("set a password for its lockout hierarchy"))
        }
        #expect(try await machine.store.read() == nil)
        let made = try await machine.vault(countProtection: .none).create(with: try pin(Self.right))
        #expect(await made.pinTier == .chip)
    }

    @Test("A new PIN opens the same vault, and the old PIN counts as wrong")
    func change() async throws {
        let machine = try await machine()
        let made = try await machine.vault().create(with: try pin(Self.right))
        try await made.set(SecretBytes(copying: [1, 2, 3]), named: "wallet")
        _ = try await machine.vault().changePin(from: try pin(Self.right), to: try pin(Self.new))
        #expect(try await failure(machine.vault(), Self.right) == .refused(.wrong(triesLeft: 9, wait: nil)))
        #expect(try await machine.chip.tpm.lockout().wrongCount == 1)
        let open = try await machine.vault().unlock(with: try pin(Self.new))
        #expect(try await secret(in: open) == [1, 2, 3])
    }

    @Test("After a crash at any write of a change of PIN, the TPM confirms that exactly one PIN opens the vault")
    func crashes() async throws {
        let chip = try await SoftwareTPM.start()
        try await chip.setLockoutPassword()
        try await chip.setLockout(limit: 100_000, secondsPerForgottenTry: 600, isProtected: true)
        var call = 0
        while true {
            let machine = Machine(chip)
            _ = try await machine.vault().create(with: try pin(Self.right))
            machine.store.repair()
            machine.store.fail(at: call, .after)
            let old = try pin(Self.right)
            let new = try pin(Self.new)
            let isChanged = (try? await machine.vault().changePin(from: old, to: new)) != nil
            machine.store.repair()
            var opening: [String] = []
            for digits in [Self.right, Self.new] where try await failure(machine.vault(), digits) == nil {
                opening.append(digits)
            }
            #expect(opening.count == 1, "call \(call)")
            if isChanged { break }
            call += 1
        }
        #expect(call > 10)
        print("crash matrix of a vault in a TPM: \(call) points")
    }
}
