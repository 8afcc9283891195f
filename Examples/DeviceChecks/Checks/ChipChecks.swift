import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

// On Apple systems swift-crypto is CryptoKit.
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The checks of the Secure Enclave that show no prompt.
struct ChipChecks: Sendable {
    let system: DeviceSystem

    /// A signing key with an application password is made, used, found again and used again.
    func silentPassword() async -> CheckOutcome {
        let (keys, tag) = (system.adapters.keys, KeyTag.random())
        let password = SecretBytes.random(byteCount: 32)
        do throws(DeviceKeyError) {
            let outcome = try await signTwice(keys, tag, password)
            try await keys.remove(tag)
            return outcome
        } catch {
            // The error of the check matters more than that of the cleaning up.
            do throws(DeviceKeyError) { try await keys.remove(tag) } catch {}
            return outcome(of: error)
        }
    }

    /// A PIN slot is opened with a wrong PIN.
    func wrongPassword() async -> CheckOutcome {
        let slot = system.adapters.pinSlot
        let pin = SecretBytes.random(byteCount: 32)
        let secret = SecretBytes.random(byteCount: 32)
        do throws(SecureEnclavePinSlotError) {
            try await slot.seal(secret, under: pin)
        } catch {
            return outcome(of: error)
        }
        let refusal = await refusal(of: SecretBytes.random(byteCount: 32), by: slot)
        let code = await system.chip.useWithWrongPassword()
        if let problem = await removal(of: slot) { return problem }
        return .done(
            refusal == .wrongPin ? .held : .didNotHold,
            ["pin_slot": refusal?.description ?? "opened", "system": code?.description ?? "the key was used"])
    }
}

extension ChipChecks {
    private func signTwice(
        _ keys: any DeviceKeys,
        _ tag: KeyTag,
        _ password: borrowing SecretBytes
    ) async throws(DeviceKeyError) -> CheckOutcome {
        let made = try await keys.create(tag, access: .applicationPassword(password.copy()))
        guard let found = try await keys.find(tag, access: .applicationPassword(password.copy())) else {
            throw DeviceKeyError(.absent)
        }
        for (step, key) in [("new", made), ("found", found)] {
            let message = Data("device checks: \(step)".utf8)
            let signature = try await key.sign(message)
            guard case .ec(let point) = key.publicKey,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
                point.verificationKey.isValidSignature(signature, for: message)
            else { return .done(.didNotHold, ["signature": "wrong, by the \(step) key"]) }
        }
        return .done(.held, ["signatures": "2"])
    }

    /// Tries a PIN. Returns nil if the slot opens.
    private func refusal(
        of pin: borrowing SecretBytes,
        by slot: any CheckedPinSlot
    ) async -> SecureEnclavePinSlotError? {
        do throws(SecureEnclavePinSlotError) {
            _ = try await slot.open(with: pin)
            return nil
        } catch {
            return error
        }
    }

    /// Removes the slot. Returns an outcome if that fails.
    func removal(of slot: any CheckedPinSlot) async -> CheckOutcome? {
        do throws(SecureEnclavePinSlotError) {
            try await slot.remove()
            return nil
        } catch {
            return .undecided(problem: error.description)
        }
    }

    func outcome(of error: SecureEnclavePinSlotError) -> CheckOutcome {
        switch error {
        case .noSecureEnclave: .done(.notPossible, ["reason": error.description])
        case .key(let error): outcome(of: error)
        default: .undecided(problem: error.description)
        }
    }

    /// A key that cannot be made or used contradicts the assumption, unless there is no chip or not now.
    private func outcome(of error: DeviceKeyError) -> CheckOutcome {
        if error.systemStatus == KeychainStatus.unimplemented.rawValue {
            return .done(.notPossible, ["reason": SecureEnclavePinSlotError.noSecureEnclave.description])
        }
        if error.systemStatus == KeychainStatus.interactionNotAllowed.rawValue {
            return .undecided(problem: error.description)
        }
        return .done(.didNotHold, ["error": error.description])
    }
}
