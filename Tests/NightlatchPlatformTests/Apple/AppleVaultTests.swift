import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

/// Tests the core with all adapters of an Apple device at once, as an app uses them.
@Suite("A vault on a model of an Apple device")
struct AppleVaultTests {
    private let device = AppleDevice()

    private var vault: Vault {
        Vault(
            store: device.store, clock: ManualClock(), biometrics: device.keyring,
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
    }

    private func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

    @Test("A new enrolment leads to the PIN, whose attempts count as before, and then biometrics can be set up again")
    func enrolment() async throws {
        try await vault.create(with: try pin("482915")).setUpBiometrics()
        _ = try await vault.unlockWithBiometrics(reason: "Unlock")
        device.model.set { $0.enrolment = 2 }
        await #expect(throws: BiometricUnlockError.biometrics(.enrolmentChanged)) {
            _ = try await vault.unlockWithBiometrics(reason: "Unlock")
        }
        await #expect(throws: UnlockError.self) { _ = try await vault.unlock(with: try pin("482916")) }
        try await vault.unlock(with: try pin("482915")).setUpBiometrics()
        _ = try await vault.unlockWithBiometrics(reason: "Unlock")
    }

    @Test("A vault on a locked device exists, and is unavailable for now")
    func locked() async throws {
        _ = try await vault.create(with: try pin("482915"))
        device.keychain.setLocked(true)
        await #expect(throws: UnlockError.vault(.store(StoreError(.unavailable)))) {
            _ = try await vault.unlock(with: try pin("482915"))
        }
        device.keychain.setLocked(false)
        _ = try await vault.unlock(with: try pin("482915"))
    }

    @Test(
        "A crash at any call to the Keychain during a change of PIN leaves exactly one PIN that works",
        arguments: [true, false])
    func crashes(wasDone: Bool) async throws {
        var changed = 0
        for call in 0..<30 {
            let device = AppleDevice()
            func vault() -> Vault {
                Vault(
                    store: device.store, clock: ManualClock(),
                    configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            }
            _ = try await vault().create(with: try pin("482915"))
            let before = device.keychain.callCount
            device.keychain.failFrom(call: call, wasDone ? .after(.io) : .before(.io))
            do {
                _ = try await vault().changePin(from: try pin("482915"), to: try pin("739104"))
                changed += 1
            } catch {}
            let wasCut = device.keychain.callCount - before > call
            device.keychain.repair()
            var working = 0
            for digits in ["482915", "739104"] {
                do {
                    _ = try await vault().unlock(with: try pin(digits))
                    working += 1
                } catch UnlockError.refused {}
            }
            #expect(working == 1, "call \(call)")
            if !wasCut { break }
        }
        #expect(changed >= 1)
    }
}
