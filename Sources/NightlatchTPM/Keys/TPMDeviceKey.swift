import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// A key in a TPM. It is loaded for each signature, and only for that time.
struct TPMDeviceKey: DeviceKey {
    let publicKey: PublicJWK
    let algorithm = SignatureAlgorithm.es256
    let protection = KeyProtection.hardware
    private let object: WrappedObject
    private let storageKey: [UInt8]
    private let authorization: TPMAuthorization
    private let tpm: TPM

    /// Creates a key from its record.
    ///
    /// - Throws: `DeviceKeyError` with `corrupt` if the object does not match `PublicArea.signingKey`. An imported key,
    ///   or a key that may leave the TPM, does not match.
    init(
        _ object: WrappedObject,
        of record: TPMKeyRecord,
        authorization: TPMAuthorization,
        in tpm: TPM
    ) throws(DeviceKeyError) {
        guard let coordinates = object.publicArea.coordinates(of: .signingKey),
            let point = ECPublicJWK(coordinates: coordinates),
            let storageKey = Base64URL.decode(record.storageKey)
        else { throw DeviceKeyError(.corrupt) }
        publicKey = .ec(point)
        self.object = object
        self.storageKey = storageKey
        self.authorization = authorization
        self.tpm = tpm
    }

    func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8] {
        let digest = SHA256.hash(data: data)
        do {
            return try await use { connection, key, session throws(TPMError) in
                try connection.sign(digest, with: key, by: session)
            }
        } catch {
            throw DeviceKeyError(error)
        }
    }

    /// Asks the TPM to load the key and to check its authorisation. Nothing is signed.
    func check() async throws(TPMError) {
        try await use { connection, key, session throws(TPMError) in
            try connection.prove(authorizationOf: key, by: session)
        }
    }

    private func use<Value: Sendable>(
        _ work:
            @escaping @Sendable (
                borrowing TPMConnection, borrowing TPMHandle, borrowing AuthorizationSession
            ) throws(TPMError) -> Value
    ) async throws(TPMError) -> Value {
        try await tpm.run { [object, storageKey, authorization] connection throws(TPMError) in
            let parent = try connection.storageKey()
            // Do not send the object to another TPM, and do not salt a session to that TPM's key: it may be an
            // attacker's TPM on the bus.
            guard parent.fingerprint == storageKey else { throw .otherTPM }
            let session = try connection.session(with: parent)
            let key = try connection.load(object, under: parent, by: session)
            try key.authorize(authorization)
            defer { key.forgetAuthorization() }
            return try work(connection, key, session)
        }
    }
}
