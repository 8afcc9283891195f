import Crypto
import Nightlatch

/// A TPM that seals a secret under a PIN, and counts wrong PINs.
struct TPMPinChip: PinChip {
    let tpm: TPM
    let countProtection: TPMCountProtection

    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(TPMPinSlotError) -> [UInt8] {
        let lockout: TPMLockout
        do {
            lockout = try await tpm.lockout()
        } catch {
            throw .tpm(error)
        }
        guard lockout.isCounting, lockout.isResetProtected || countProtection == .none else {
            throw .uncounted(lockout)
        }
        let salt = PinSlotSecret.newSalt()
        let authorization = Self.authorization(of: stretchedPin, name: name, salt: salt)
        let sealing = UnsealedSecret(secret.copy())
        let content: TPMPinSlotRecord.Content
        do {
            content = try await tpm.run { connection throws(TPMError) in
                let storageKey = try connection.storageKey()
                let session = try connection.session(with: storageKey)
                let object = try connection.create(
                    .sealedSecret, sealing: sealing.bytes, authorization: authorization, under: storageKey,
                    by: session)
                return TPMPinSlotRecord.Content(object: object, storageKey: storageKey.fingerprint, salt: salt)
            }
        } catch {
            throw .tpm(error)
        }
        return TPMPinSlotRecord(content).encoded
    }

    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(TPMPinSlotError) -> SecretBytes {
        let content = try TPMPinSlotRecord.content(of: sealed)
        let authorization = Self.authorization(of: stretchedPin, name: name, salt: content.salt)
        let opening: Opening
        do {
            opening = try await tpm.run { connection throws(TPMError) in
                do throws(TPMError) {
                    return .opened(try Self.unseal(content, authorization, in: connection))
                } catch {
                    switch error {
                    case .wrongAuthorization: return .wrongPin(Self.lockoutIfTold(by: connection))
                    case .lockedOut: return .lockedOut(try connection.lockout())
                    default: throw error
                    }
                }
            }
        } catch {
            throw error == .damaged ? .corrupt : .tpm(error)
        }
        switch opening {
        case .opened(let secret): return secret.bytes.copy()
        case .wrongPin(let lockout): throw .wrongPin(lockout)
        case .lockedOut(let lockout): throw .lockedOut(lockout)
        }
    }

    private enum Opening: Sendable {
        case opened(UnsealedSecret)
        case wrongPin(TPMLockout?)
        case lockedOut(TPMLockout)
    }

    /// Returns the lockout state after a wrong PIN; nil if the TPM fails now. In that case too, the PIN was wrong and
    /// was counted.
    private static func lockoutIfTold(by connection: borrowing TPMConnection) -> TPMLockout? {
        do throws(TPMError) {
            return try connection.lockout()
        } catch {
            return nil
        }
    }

    private static func unseal(
        _ content: TPMPinSlotRecord.Content,
        _ authorization: TPMAuthorization,
        in connection: borrowing TPMConnection
    ) throws(TPMError) -> UnsealedSecret {
        let storageKey = try connection.storageKey()
        // Send nothing derived from a PIN to another TPM, which may be an attacker's on the bus.
        guard storageKey.fingerprint == content.storageKey else { throw .otherTPM }
        let session = try connection.session(with: storageKey)
        let object = try connection.load(content.object, under: storageKey, by: session)
        try object.authorize(authorization)
        defer { object.forgetAuthorization() }
        return try connection.unseal(object, by: session)
    }

    private static func authorization(
        of stretchedPin: borrowing SecretBytes,
        name: String,
        salt: [UInt8]
    ) -> TPMAuthorization {
        TPMAuthorization(
            SecretBytes(
                PinSlotSecret.key(of: stretchedPin, for: "nightlatch tpm pin slot", name: name, salt: salt)))
    }
}
