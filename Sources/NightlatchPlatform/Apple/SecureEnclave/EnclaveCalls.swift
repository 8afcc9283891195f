package import Crypto
package import Foundation
package import Nightlatch

/// The calls into the Secure Enclave that ask nobody.
package struct EnclaveCalls: Sendable {
    /// Whether the device has one.
    package let isAvailable: @Sendable () -> Bool
    /// A new key for signatures. Nothing keeps it but its representation.
    package let makeSigningKey: @Sendable (borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey
    /// The key for signatures with this representation.
    package let openSigningKey: @Sendable ([UInt8], borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey
    /// A new key for agreement that only a person's biometrics release, those that are enrolled now.
    package let makeAgreementKey: @Sendable () throws(AppleFailure) -> EnclaveKeyPair

    package init(
        isAvailable: @escaping @Sendable () -> Bool,
        makeSigningKey: @escaping @Sendable (borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey,
        openSigningKey: @escaping @Sendable ([UInt8], borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey,
        makeAgreementKey: @escaping @Sendable () throws(AppleFailure) -> EnclaveKeyPair
    ) {
        self.isAvailable = isAvailable
        self.makeSigningKey = makeSigningKey
        self.openSigningKey = openSigningKey
        self.makeAgreementKey = makeAgreementKey
    }
}

/// A key for signatures, ready for use.
package struct EnclaveSigningKey: Sendable {
    /// What the chip has sealed of the key for itself: of no use anywhere else.
    package let representation: [UInt8]
    package let publicKey: P256.Signing.PublicKey
    /// The signature as R and S, 32 bytes each. It blocks.
    package let sign: @Sendable (Data) throws(AppleFailure) -> [UInt8]

    package init(
        representation: [UInt8],
        publicKey: P256.Signing.PublicKey,
        sign: @escaping @Sendable (Data) throws(AppleFailure) -> [UInt8]
    ) {
        self.representation = representation
        self.publicKey = publicKey
        self.sign = sign
    }
}

/// A key for agreement, by what the chip has sealed of it and by its public half.
package struct EnclaveKeyPair: Sendable {
    package let representation: [UInt8]
    package let publicKey: P256.KeyAgreement.PublicKey

    package init(representation: [UInt8], publicKey: P256.KeyAgreement.PublicKey) {
        self.representation = representation
        self.publicKey = publicKey
    }
}
