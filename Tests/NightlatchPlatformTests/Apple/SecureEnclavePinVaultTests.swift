import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("A vault with its PIN in a model of the Secure Enclave")
struct SecureEnclavePinVaultTests {
    private static let right = "482915"
    private static let wrong = "482916"
    private static let new = "739104"

    private let device = AppleDevice()

    private func vault(on device: AppleDevice) -> Vault {
        Vault(
            store: device.store, clock: ManualClock(), biometrics: device.keyring, hardener: device.pinHardener,
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
    }

    private var vault: Vault { vault(on: device) }

    private func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

    private func failure(_ vault: Vault, _ digits: String) async throws -> UnlockError? {
        let pin = try pin(digits)
        do {
            _ = try await vault.unlock(with: pin)
            return nil
        } catch {
            return error
        }
    }

    @Test("The right PIN opens the vault, and a wrong one does not; the vault counts, because the chip does not")
    func counted() async throws {
        let made = try await vault.create(with: try pin(Self.right))
        try await made.set(SecretBytes(copying: [1, 2, 3]), named: "wallet")
        #expect(await made.pinTier == .chip)
        #expect(try await failure(vault, Self.wrong) == .refused(.wrong(triesLeft: 9, wait: nil)))
        let open = try await vault.unlock(with: try pin(Self.right))
        let isEqual = try await open.secret(named: "wallet")?.isEqual(to: SecretBytes(copying: [1, 2, 3]))
        #expect(isEqual == true)
        _ = try await vault.changePin(from: try pin(Self.right), to: try pin(Self.new))
        #expect(try await failure(vault, Self.right) == .refused(.wrong(triesLeft: 9, wait: nil)))
        #expect(try await failure(vault, Self.new) == nil)
        // The user was asked for nothing but the PIN.
        #expect(device.model.get(\.shown).isEmpty)
        #expect(Set(device.keychain.items.map(\.account)) == ["vault", "pin-hardener.vault"])
    }

    @Test("On another device no PIN opens a copy of all items, and the error is not a wrong PIN")
    func otherDevice() async throws {
        _ = try await vault.create(with: try pin(Self.right))
        let thief = AppleDevice()
        thief.keychain.plant { $0 = device.keychain.items }
        for digits in [Self.right, Self.wrong] {
            #expect(try await failure(vault(on: thief), digits) == .vault(.hardener(.chip(.corrupt))))
        }
        #expect(try await vault(on: thief).state() == .ready(triesLeft: 10))
    }

    @Test(
        "Errors of the chip and the Keychain say nothing about the PIN, and charge no attempt",
        arguments: [
            (AppleFailure(token: .communicationError), "unavailable"),
            (AppleFailure(token: .objectNotFound), "corrupt"),
            (AppleFailure(status: .missingEntitlement), "refused"),
            (AppleFailure(domain: "new", code: 7), "unavailable"),
        ])
    func failures(failure: AppleFailure, kind: String) async throws {
        _ = try await vault.create(with: try pin(Self.right))
        device.model.set { $0.failures = [failure] }
        let told = try await self.failure(vault, Self.right)?.cause?.cause as? PinHardenerError
        guard case .chip(let error) = told else {
            Issue.record("\(failure) was not told as the chip's")
            return
        }
        let toldKind =
            switch error {
            case .unavailable: "unavailable"
            case .corrupt: "corrupt"
            case .refused: "refused"
            case .absent, .otherChip, .uncounted, .newerFormat: "\(error)"
            }
        #expect(toldKind == kind)
        #expect(try await vault.state() == .ready(triesLeft: 10))
        #expect(try await self.failure(vault, Self.right) == nil)
    }

    @Test("A device without a Secure Enclave cannot create such a vault, and says so")
    func noEnclave() async throws {
        device.model.set { $0.hasEnclave = false }
        let absent = PinChipError.absent(reason: "this device has no Secure Enclave")
        await #expect(throws: CreateVaultError.vault(.hardener(.chip(absent)))) {
            _ = try await vault.create(with: try pin(Self.right))
        }
        #expect(device.keychain.items.map(\.account) == ["pin-hardener.vault"])
    }

    @Test(
        "A crash at any call to the Keychain during a change of PIN leaves exactly one PIN that works",
        arguments: [true, false])
    func crashes(wasDone: Bool) async throws {
        var changed = 0
        for call in 0..<60 {
            let device = AppleDevice()
            _ = try await vault(on: device).create(with: try pin(Self.right))
            let before = device.keychain.callCount
            device.keychain.failFrom(call: call, wasDone ? .after(.io) : .before(.io))
            do {
                _ = try await vault(on: device).changePin(from: try pin(Self.right), to: try pin(Self.new))
                changed += 1
            } catch {}
            let wasCut = device.keychain.callCount - before > call
            device.keychain.repair()
            var working = 0
            for digits in [Self.right, Self.new] where try await failure(vault(on: device), digits) == nil {
                working += 1
            }
            #expect(working == 1, "call \(call)")
            if !wasCut { break }
        }
        #expect(changed >= 1)
    }
}
