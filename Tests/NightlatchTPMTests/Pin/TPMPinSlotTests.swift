import Crypto
import Foundation
import Nightlatch
import NightlatchTPM
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A PIN slot in a TPM", .serialized)
struct TPMPinSlotTests {
    private let store = MemoryStore()
    /// A substitute for a stretched PIN.
    private let right = Array(repeating: UInt8(1), count: 32)
    private let wrong = Array(repeating: UInt8(2), count: 32)
    private let secret = Array(UInt8(100)..<132)

    private func sealed(in chip: SoftwareTPM) async throws -> TPMPinSlot {
        try await chip.setLockoutPassword()
        let slot = TPMPinSlot(name: "vault", tpm: chip.tpm, store: store)
        try await slot.seal(SecretBytes(copying: secret), under: SecretBytes(copying: right))
        return slot
    }

    private func opens(_ slot: TPMPinSlot, with pin: [UInt8]) async throws -> Bool {
        let opened = try await slot.open(with: SecretBytes(copying: pin))
        return opened.isEqual(to: SecretBytes(copying: secret))
    }

    /// The error of a PIN that does not open the slot.
    private func failure(_ slot: TPMPinSlot, with pin: [UInt8]) async -> TPMPinSlotError? {
        do throws(TPMPinSlotError) {
            _ = try await slot.open(with: SecretBytes(copying: pin))
            return nil
        } catch {
            return error
        }
    }

    @Test("The right PIN opens the slot, also after losses of power; a removed slot is absent")
    func right() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        #expect(try await opens(slot, with: right))
        try await chip.losePower()
        #expect(try await opens(TPMPinSlot(name: "vault", tpm: chip.tpm, store: store), with: right))
        try await slot.remove()
        #expect(await failure(slot, with: right) == .absent)
    }

    @Test("The TPM counts wrong PINs itself, despite losses of power and old record copies, and locks at its limit")
    func counted() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        let copy = try #require(try await store.read())
        let limit = try await chip.tpm.lockout().wrongCountLimit
        #expect(limit == 3)

        guard case .wrongPin(let first?) = await failure(slot, with: wrong) else {
            Issue.record("a wrong PIN was not told as such")
            return
        }
        #expect(first.wrongCount == 1)
        #expect(!first.isLockedOut)
        #expect(first.secondsUntilNextTry == 0)

        try await chip.losePower()
        store.plant(copy)
        let afterLoss = try await chip.tpm.lockout().wrongCount
        #expect(afterLoss >= 1)
        for count in afterLoss..<limit {
            guard case .wrongPin(let lockout?) = await failure(slot, with: wrong) else {
                Issue.record("wrong PIN \(count + 1) was not told as such")
                return
            }
            #expect(lockout.wrongCount == count + 1)
        }
        // A locked TPM tests no PIN, not even the right one, with any copy of the record.
        store.plant(copy)
        guard case .lockedOut(let lockout) = await failure(slot, with: right) else {
            Issue.record("a locked TPM tried a PIN")
            return
        }
        #expect(lockout.isLockedOut)
        #expect(lockout.wrongCount == limit)
        #expect(lockout.secondsPerForgottenTry == 1000)
        #expect(lockout.secondsUntilNextTry == 1000)
        #expect("\(TPMPinSlotError.lockedOut(lockout))".contains("locked for 1000 s at most"))

        try await chip.resetLockout()
        #expect(try await opens(slot, with: right))
    }

    @Test("A locked TPM still uses keys that are exempt from its count")
    func keysGoOn() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        for _ in 0..<3 { _ = await failure(slot, with: wrong) }
        #expect(try await chip.tpm.lockout().isLockedOut)
        let key = try await KeyStores().keys(in: chip.tpm)
            .create(.random(), access: .applicationPassword(.random(byteCount: 32)))
        #expect(try isValid(try await key.sign(Data()), of: Data(), by: key.publicKey))
    }

    @Test("The right PIN opens nothing at another TPM, and is not counted there")
    func otherTPM() async throws {
        let (chip, other) = (try await SoftwareTPM.start(), try await SoftwareTPM.start())
        _ = try await sealed(in: chip)
        #expect(await failure(TPMPinSlot(name: "vault", tpm: other.tpm, store: store), with: right) == .tpm(.otherTPM))
        #expect(try await other.tpm.lockout().wrongCount == 0)
    }

    @Test("A new PIN replaces the previous PIN, which then counts as wrong")
    func change() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        try await slot.seal(SecretBytes(copying: secret), under: SecretBytes(copying: wrong))
        #expect(try await opens(slot, with: wrong))
        guard case .wrongPin = await failure(slot, with: right) else {
            Issue.record("a former PIN was not told as wrong")
            return
        }
    }

    @Test("A slot with any changed byte does not open, not even if the change turns off the TPM's count")
    func flipped() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        let good = try #require(try await store.read())
        for index in stride(from: 0, to: good.bytes.count, by: 11) {
            var bad = good.bytes
            bad[index] ^= 1
            store.plant(StoredRecord(revision: good.revision, bytes: bad))
            switch await failure(slot, with: right) {
            case .corrupt, .newerFormat, .wrongPin, .lockedOut, .tpm(.otherTPM): break
            case let other: Issue.record("byte \(index): \(String(describing: other))")
            }
        }
        store.plant(good)
        try await chip.resetLockout()
        #expect(try await opens(slot, with: right))
    }

    @Test("Sealing needs a TPM whose count is active and protected, unless the app waives that")
    func uncounted() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = TPMPinSlot(name: "vault", tpm: chip.tpm, store: store)
        let lax = TPMPinSlot(name: "vault", tpm: chip.tpm, store: store, countProtection: .none)
        let open = try await chip.tpm.lockout()
        #expect(open.isCounting && !open.isResetProtected)
        await #expect(throws: TPMPinSlotError.uncounted(open)) {
            try await slot.seal(SecretBytes(copying: secret), under: SecretBytes(copying: right))
        }
        #expect(try await store.read() == nil)
        try await lax.seal(SecretBytes(copying: secret), under: SecretBytes(copying: right))
        #expect(try await opens(lax, with: right))
        // The TPM specification gives zero this meaning: the TPM forgets at once, so it does not count at all.
        try await chip.setLockout(limit: 3, secondsPerForgottenTry: 0)
        let off = try await chip.tpm.lockout()
        #expect(!off.isCounting)
        await #expect(throws: TPMPinSlotError.uncounted(off)) {
            try await lax.seal(SecretBytes(copying: secret), under: SecretBytes(copying: right))
        }
        for _ in 0...3 {
            guard case .wrongPin(let lockout?) = await failure(lax, with: wrong) else {
                Issue.record("a TPM that counts nothing was told to be locked")
                return
            }
            #expect(lockout.wrongCount == 0)
        }
        // A limit of zero locks the TPM whatever its count is, and no wait ends that.
        try await chip.setLockout(limit: 0, secondsPerForgottenTry: 10)
        guard case .lockedOut(let lockout) = await failure(lax, with: right) else {
            Issue.record("a TPM whose limit is zero tried a PIN")
            return
        }
        #expect(lockout.secondsUntilNextTry == nil)
    }

    @Test("The sealed secret and its authorisation are not visible on the bus")
    func bus() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        #expect(try await opens(slot, with: right))
        _ = await failure(slot, with: wrong)
        let record = try #require(try await store.read())
        let members = try #require(try JSONSerialization.jsonObject(with: Data(record.bytes)) as? [String: Any])
        let salt = try #require((members["salt"] as? String).flatMap(Base64URL.decode))
        let area = try #require((members["public_area"] as? String).flatMap(Base64URL.decode))
        let info = PinSlotSecret.description("nightlatch tpm pin slot", name: "vault", salt: salt)
        let authorization = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: right), salt: salt, info: info.bytes, outputByteCount: 32)
        let bus = try chip.bus()
        // The control: unencrypted bytes are visible.
        #expect(!bus.ranges(of: area).isEmpty)
        for hidden in [secret, unsafe authorization.withUnsafeBytes { unsafe Array($0) }] {
            #expect(bus.ranges(of: hidden.prefix(8)).isEmpty)
        }
    }

    @Test("A record with the greatest revision is corrupt, because no further one can be written")
    func lastRevision() async throws {
        let chip = try await SoftwareTPM.start()
        let slot = try await sealed(in: chip)
        store.plant(StoredRecord(revision: .max, bytes: try #require(try await store.read()).bytes))
        await #expect(throws: TPMPinSlotError.corrupt) {
            try await slot.seal(SecretBytes(copying: secret), under: SecretBytes(copying: right))
        }
    }

    @Test("A secret that does not fit into a TPM is refused", arguments: [0, 129])
    func size(byteCount: Int) async throws {
        let slot = TPMPinSlot(
            name: "vault", tpm: TPM(interface: "device:/dev/nightlatch-has-no-such-tpm"), store: store)
        await #expect(throws: TPMPinSlotError.secretByteCount) {
            try await slot.seal(
                SecretBytes(copying: Array(repeating: 0, count: byteCount)), under: SecretBytes(copying: right))
        }
    }
}
