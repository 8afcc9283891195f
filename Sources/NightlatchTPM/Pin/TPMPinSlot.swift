import Crypto
import Foundation
public import Nightlatch

/// A secret that the TPM gives out for the right PIN alone, and whose wrong PINs the TPM counts itself: neither an old copy of the files nor
/// another machine gives a thief more tries.
///
/// What authorises the secret is derived from the stretched PIN; the PIN itself never reaches the TPM, nor does anything that was not
/// stretched. The count, its limit and how fast it is forgotten belong to the whole machine: other programs' failures count too, a right
/// PIN does not take the count back, and who knows the password of the TPM's lockout hierarchy can reset it or change the limits.
/// After a loss of power the TPM may count one more. A former PIN opens a former copy of the record: `docs/threat-model.md`.
public struct TPMPinSlot: Sendable {
    /// How many bytes a slot takes.
    public static let secretByteCounts = 1...128

    private let tpm: TPM
    private let store: any SecureStore
    private let countProtection: TPMCountProtection

    /// - Parameters:
    ///   - tpm: The TPM that seals the secret.
    ///   - store: Where the sealed secret is kept.
    ///   - countProtection: What must keep others from resetting the TPM's count, for a secret to be sealed.
    public init(
        tpm: TPM = TPM(),
        store: any SecureStore,
        countProtection: TPMCountProtection = .lockoutPassword
    ) {
        self.tpm = tpm
        self.store = store
        self.countProtection = countProtection
    }

    /// Seals `secret` under a PIN, in the place of what was sealed before. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: What a key derivation function has made of the PIN; at least 16 bytes make sense.
    /// - Throws: ``TPMPinSlotError``; what was sealed before is untouched, save that after an error of the store but a conflict the new
    ///   record may be there.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(TPMPinSlotError) {
        guard Self.secretByteCounts.contains(secret.byteCount) else { throw .secretByteCount }
        let lockout: TPMLockout
        do {
            lockout = try await tpm.lockout()
        } catch {
            throw .tpm(error)
        }
        guard lockout.isCounting, lockout.isResetProtected || countProtection == .none else {
            throw .uncounted(lockout)
        }
        let before = try await read()?.revision
        // After the greatest number none could be written.
        guard before != .max else { throw .corrupt }
        let salt = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
        let authorization = TPMAuthorization(Self.derive(stretchedPin, salt: salt))
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
        let record = StoredRecord(revision: (before ?? 0) + 1, bytes: TPMPinSlotRecord(content).encoded)
        do {
            try await store.replace(record, expecting: before)
        } catch {
            throw .store(error)
        }
    }

    /// Has the TPM try a PIN.
    ///
    /// - Throws: ``TPMPinSlotError``, with ``TPMPinSlotError/wrongPin(_:)`` for a PIN that was counted, and
    ///   ``TPMPinSlotError/lockedOut(_:)`` for one that was not even tried.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(TPMPinSlotError) -> SecretBytes {
        guard let stored = try await read() else { throw .absent }
        let content = try TPMPinSlotRecord.decode(stored.bytes)
        let authorization = TPMAuthorization(Self.derive(stretchedPin, salt: content.salt))
        let opening: Opening
        do {
            opening = try await tpm.run { connection throws(TPMError) in
                do throws(TPMError) {
                    return .opened(try Self.unseal(content, authorization, in: connection))
                } catch {
                    switch error {
                    case .wrongAuthorization: return .wrongPin(try connection.lockout())
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

    /// Removes the slot, if there is one. Copies of its record open with their PIN as before.
    public func remove() async throws(TPMPinSlotError) {
        do {
            try await store.erase()
        } catch {
            throw .store(error)
        }
    }

    private enum Opening: Sendable {
        case opened(UnsealedSecret)
        case wrongPin(TPMLockout)
        case lockedOut(TPMLockout)
    }

    private static func unseal(
        _ content: TPMPinSlotRecord.Content,
        _ authorization: TPMAuthorization,
        in connection: borrowing TPMConnection
    ) throws(TPMError) -> UnsealedSecret {
        let storageKey = try connection.storageKey()
        // Nothing of a PIN is shown to another TPM, which may be somebody's on the bus.
        guard storageKey.fingerprint == content.storageKey else { throw .otherTPM }
        let session = try connection.session(with: storageKey)
        let object = try connection.load(content.object, under: storageKey, by: session)
        try object.authorize(authorization)
        defer { object.forgetAuthorization() }
        return try connection.unseal(object, by: session)
    }

    private func read() async throws(TPMPinSlotError) -> StoredRecord? {
        do {
            return try await store.read()
        } catch {
            throw .store(error)
        }
    }

    private static func derive(_ stretchedPin: borrowing SecretBytes, salt: [UInt8]) -> SecretBytes {
        let key = unsafe stretchedPin.withUnsafeBytes { stretchedPin in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(stretchedPin)), salt: salt,
                info: Data("nightlatch tpm pin slot".utf8), outputByteCount: TPMAuthorization.byteCountLimit)
        }
        return unsafe SecretBytes(byteCount: TPMAuthorization.byteCountLimit) { memory in
            unsafe key.withUnsafeBytes { key in unsafe memory.copyMemory(from: key) }
        }
    }
}
