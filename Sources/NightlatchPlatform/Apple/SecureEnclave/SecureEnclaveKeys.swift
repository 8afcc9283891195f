import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// P-256 signing keys that are made in the Secure Enclave and never leave it.
///
/// A key's representation, sealed by the chip, is in the Keychain. An application password protects a key twice: the
/// chip requires it, and the record in the Keychain is sealed under it. So a wrong password, which does not open the
/// record, differs from an unavailable chip. No key asks the user; ``SecureEnclaveBiometricKeyring`` has keys that do.
/// LocalAuthentication holds the application password as long as the key has an owner, so release the key after
/// signing.
public struct SecureEnclaveKeys: DeviceKeys {
    private let service: String
    private let accessGroup: String?
    private let keychain: KeychainCalls
    private let calls: EnclaveCalls
    private let blocking = BlockingCalls(label: "nightlatch.secure-enclave")

    package init(service: String, accessGroup: String? = nil, keychain: KeychainCalls, calls: EnclaveCalls) {
        self.service = service
        self.accessGroup = accessGroup
        self.keychain = keychain
        self.calls = calls
    }

    /// Makes a key, as `DeviceKeys` requires. Throws `DeviceKeyError.Code.refused` on a device without a Secure
    /// Enclave.
    public func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey {
        let access = access.copy()
        let key = try await blocking.run { () throws(DeviceKeyError) in
            guard calls.isAvailable() else {
                throw DeviceKeyError(.refused, systemStatus: KeychainStatus.unimplemented.rawValue)
            }
            do throws(AppleFailure) {
                return try calls.makeSigningKey(.silent(access), .silent, access)
            } catch {
                throw DeviceKeyError(error)
            }
        }
        let record = DeviceKeyRecord(
            SecretBytes(copying: key.representation), kind: .secureEnclave, tag: tag, access: access)
        do throws(StoreError) {
            // If saving fails, the new key is dropped; nothing else refers to it.
            try await store(tag).replace(StoredRecord(revision: 1, bytes: record.encoded), expecting: nil)
        } catch {
            throw DeviceKeyError(error)
        }
        return try EnclaveDeviceKey(key, blocking: blocking)
    }

    public func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? {
        let access = access.copy()
        let stored: StoredRecord?
        do throws(StoreError) {
            stored = try await store(tag).read()
        } catch {
            throw DeviceKeyError(error)
        }
        guard let stored else { return nil }
        let secret = try DeviceKeyRecord(decoding: stored.bytes).key(kind: .secureEnclave, tag: tag, access: access)
        let representation = unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
        let key = try await blocking.run { () throws(DeviceKeyError) in
            do throws(AppleFailure) {
                return try calls.openSigningKey(representation, .silent, access)
            } catch {
                throw DeviceKeyError(error)
            }
        }
        return try EnclaveDeviceKey(key, blocking: blocking)
    }

    public func remove(_ tag: KeyTag) async throws(DeviceKeyError) {
        do throws(StoreError) {
            try await store(tag).erase()
        } catch {
            throw DeviceKeyError(error)
        }
    }

    private func store(_ tag: KeyTag) -> KeychainStore {
        KeychainStore(
            service: service, account: "device-key.\(tag.rawValue)", accessGroup: accessGroup, calls: keychain)
    }
}

private struct EnclaveDeviceKey: DeviceKey {
    let publicKey: PublicJWK
    let algorithm = SignatureAlgorithm.es256
    let protection = KeyProtection.hardware
    private let key: EnclaveSigningKey
    private let blocking: BlockingCalls

    init(_ key: EnclaveSigningKey, blocking: BlockingCalls) throws(DeviceKeyError) {
        guard let point = ECPublicJWK(coordinates: [UInt8](key.publicKey.rawRepresentation)) else {
            throw DeviceKeyError(.corrupt)
        }
        publicKey = .ec(point)
        self.key = key
        self.blocking = blocking
    }

    func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8] {
        try await blocking.run { () throws(DeviceKeyError) in
            do throws(AppleFailure) {
                return try key.sign(data)
            } catch {
                throw DeviceKeyError(error)
            }
        }
    }
}

extension KeyAccess {
    /// Returns an independent copy of the access.
    fileprivate borrowing func copy() -> KeyAccess {
        switch self {
        case .unattended: .unattended
        case .applicationPassword(let password): .applicationPassword(password.copy())
        }
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclaveKeys {
    /// Creates keys in the Secure Enclave.
    ///
    /// - Parameters:
    ///   - service: The app's name for its items in the Keychain.
    ///   - accessGroup: The access group, as for ``KeychainStore``.
    public init(service: String, accessGroup: String? = nil) {
        self.init(service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
