import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// Signing keys in the Secure Enclave: P-256, made there, and used there alone.
///
/// What the chip has sealed of a key for itself lies in the Keychain. A key with an application password has it twice over: the chip asks
/// for it, and what lies in the Keychain is sealed under it, which is how a wrong one is told from a chip that cannot serve now. No key
/// asks a person; keys that do are ``SecureEnclaveBiometricKeyring``'s. The application password is with LocalAuthentication for as long
/// as somebody holds the key: let it go when it has signed.
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

    /// As of the port. On a device without a Secure Enclave `DeviceKeyError.Code.refused`.
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
            // A key that finds no place goes: nothing else keeps it.
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
    /// A second owner of the same access.
    fileprivate borrowing func copy() -> KeyAccess {
        switch self {
        case .unattended: .unattended
        case .applicationPassword(let password): .applicationPassword(password.copy())
        }
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclaveKeys {
    /// - Parameters:
    ///   - service: The app's own name for its items in the Keychain.
    ///   - accessGroup: As of ``KeychainStore``.
    public init(service: String, accessGroup: String? = nil) {
        self.init(service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
