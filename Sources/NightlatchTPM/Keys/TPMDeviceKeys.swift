import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// P-256 keys that a TPM creates and never gives out, for machines with Linux.
///
/// The store contains a key sealed by the TPM, and only this TPM opens it. A copy is useless elsewhere, and the key is
/// lost when the TPM is cleared. An application password becomes the key's authorisation and never crosses the bus. A
/// key without a password signs for any program on this machine that can read its record and use the TPM. The TPM is
/// pinned when a key is created: `docs/threat-model.md` describes the consequences.
public struct TPMDeviceKeys: DeviceKeys {
    private let tpm: TPM
    private let store: @Sendable (KeyTag) -> any SecureStore

    /// Creates the keys with a TPM.
    ///
    /// - Parameters:
    ///   - tpm: The TPM that creates and uses the keys.
    ///   - store: Returns the store for the key under a tag, always the same for a tag.
    public init(tpm: TPM = TPM(), store: @escaping @Sendable (KeyTag) -> any SecureStore) {
        self.tpm = tpm
        self.store = store
    }

    public func create(
        _ tag: KeyTag,
        access: borrowing KeyAccess
    ) async throws(DeviceKeyError) -> any DeviceKey {
        // This early check saves the chip's time. The write below makes the final check.
        guard try await read(tag) == nil else { throw DeviceKeyError(.exists) }
        let authorization = TPMKeyAuthorization(access, tag: tag)
        let (object, storageKey): (WrappedObject, [UInt8])
        do {
            (object, storageKey) = try await tpm.run { connection throws(TPMError) in
                let storageKey = try connection.storageKey()
                let session = try connection.session(with: storageKey)
                let object = try connection.create(
                    .signingKey, sealing: SecretBytes(copying: []), authorization: authorization.value,
                    under: storageKey, by: session)
                return (object, storageKey.fingerprint)
            }
        } catch {
            throw DeviceKeyError(error)
        }
        let record = TPMKeyRecord(object, tag: tag, storageKey: storageKey, protection: authorization.protection)
        let key = try TPMDeviceKey(object, of: record, authorization: authorization.value, in: tpm)
        do {
            try await store(tag).replace(StoredRecord(revision: 1, bytes: record.encoded), expecting: nil)
        } catch {
            throw DeviceKeyError(error)
        }
        return key
    }

    public func find(
        _ tag: KeyTag,
        access: borrowing KeyAccess
    ) async throws(DeviceKeyError) -> (any DeviceKey)? {
        let authorization = TPMKeyAuthorization(access, tag: tag)
        guard let stored = try await read(tag) else { return nil }
        let record = try TPMKeyRecord(decoding: stored.bytes, tag: tag)
        guard record.protection == authorization.protection else { throw DeviceKeyError(.wrongAccess) }
        let key = try TPMDeviceKey(try record.object, of: record, authorization: authorization.value, in: tpm)
        do {
            try await key.check()
        } catch {
            throw DeviceKeyError(error)
        }
        return key
    }

    public func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        do {
            try await store(tag).erase()
        } catch {
            throw DeviceKeyError(error)
        }
    }

    private func read(_ tag: KeyTag) async throws(DeviceKeyError) -> StoredRecord? {
        do {
            return try await store(tag).read()
        } catch {
            throw DeviceKeyError(error)
        }
    }
}
