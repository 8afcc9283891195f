import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// P-256 keys in records of a `SecureStore`, for machines without a chip for keys.
///
/// A key with an application password is sealed under it with AES-256-GCM, so a copy of the record is useless without
/// the vault. A key without one is in plain form: a party that reads the record has the key. `DeviceKey.protection` is
/// `KeyProtection.software`. Programs that show the protection of a secret should explain this.
public struct SoftwareDeviceKeys: DeviceKeys {
    private let store: @Sendable (KeyTag) -> any SecureStore

    /// Creates keys with a store for each tag.
    ///
    /// - Parameter store: Returns the store for the key with this tag. The same tag must give the same store.
    public init(store: @escaping @Sendable (KeyTag) -> any SecureStore) {
        self.store = store
    }

    /// Creates keys in files in `folder`, one file for each key.
    public init(folder: String) {
        self.init { tag in FileStore(path: "\(folder)/\(tag.rawValue).key") }
    }

    public func create(
        _ tag: KeyTag,
        access: borrowing KeyAccess
    ) async throws(DeviceKeyError) -> any DeviceKey {
        let key = P256.Signing.PrivateKey()
        var bytes = key.rawRepresentation
        let record = DeviceKeyRecord(SecretBytes(wiping: &bytes), kind: .software, tag: tag, access: access)
        do {
            try await store(tag).replace(StoredRecord(revision: 1, bytes: record.encoded), expecting: nil)
        } catch {
            throw DeviceKeyError(error)
        }
        return try SoftwareDeviceKey(key)
    }

    public func find(
        _ tag: KeyTag,
        access: borrowing KeyAccess
    ) async throws(DeviceKeyError) -> (any DeviceKey)? {
        let stored: StoredRecord?
        do {
            stored = try await store(tag).read()
        } catch {
            throw DeviceKeyError(error)
        }
        guard let stored else { return nil }
        let secret = try DeviceKeyRecord(decoding: stored.bytes).key(kind: .software, tag: tag, access: access)
        let key: P256.Signing.PrivateKey
        do {
            key = try unsafe secret.withUnsafeBytes { unsafe try P256.Signing.PrivateKey(rawRepresentation: $0) }
        } catch {
            throw DeviceKeyError(.corrupt)
        }
        return try SoftwareDeviceKey(key)
    }

    public func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        do {
            try await store(tag).erase()
        } catch {
            throw DeviceKeyError(error)
        }
    }
}
