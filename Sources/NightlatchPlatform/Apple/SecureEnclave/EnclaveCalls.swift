package import Crypto
package import Foundation
package import Nightlatch

/// The calls into the Secure Enclave that ask nobody.
package struct EnclaveCalls: Sendable {
    /// Whether the device has one.
    package let isAvailable: @Sendable () -> Bool
    /// A new key for signatures, on a context of its own. Nothing keeps it but its representation.
    package let makeSigningKey:
        @Sendable (EnclaveAccessControl, ContextSettings, borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey
    /// The key for signatures with this representation, on a context of its own.
    package let openSigningKey:
        @Sendable ([UInt8], ContextSettings, borrowing KeyAccess) throws(AppleFailure) -> EnclaveSigningKey
    /// A new key for agreement. Nil in the place of settings for one that is made without a context.
    package let makeAgreementKey:
        @Sendable (EnclaveAccessControl, ContextSettings?, borrowing KeyAccess) throws(AppleFailure) -> EnclaveKeyPair
    /// The secret that the key for agreement with this representation agrees with a public key, on a context of its own. It blocks.
    package let agree:
        @Sendable ([UInt8], P256.KeyAgreement.PublicKey, ContextSettings, borrowing KeyAccess) throws(AppleFailure) ->
            SharedSecret

    package init(
        isAvailable: @escaping @Sendable () -> Bool,
        makeSigningKey:
            @escaping @Sendable (EnclaveAccessControl, ContextSettings, borrowing KeyAccess) throws(AppleFailure) ->
            EnclaveSigningKey,
        openSigningKey:
            @escaping @Sendable ([UInt8], ContextSettings, borrowing KeyAccess) throws(AppleFailure) ->
            EnclaveSigningKey,
        makeAgreementKey:
            @escaping @Sendable (EnclaveAccessControl, ContextSettings?, borrowing KeyAccess) throws(AppleFailure) ->
            EnclaveKeyPair,
        agree:
            @escaping @Sendable ([UInt8], P256.KeyAgreement.PublicKey, ContextSettings, borrowing KeyAccess)
            throws(AppleFailure) -> SharedSecret
    ) {
        self.isAvailable = isAvailable
        self.makeSigningKey = makeSigningKey
        self.openSigningKey = openSigningKey
        self.makeAgreementKey = makeAgreementKey
        self.agree = agree
    }
}

/// A key for signatures, ready for use. When its last owner lets it go, its context is invalidated, and the application password with it.
package final class EnclaveSigningKey: Sendable {
    /// What the chip has sealed of the key for itself: of no use anywhere else.
    package let representation: [UInt8]
    package let publicKey: P256.Signing.PublicKey
    /// The signature as R and S, 32 bytes each. It blocks.
    package let sign: @Sendable (Data) throws(AppleFailure) -> [UInt8]
    private let invalidate: @Sendable () -> Void

    package init(
        representation: [UInt8],
        publicKey: P256.Signing.PublicKey,
        sign: @escaping @Sendable (Data) throws(AppleFailure) -> [UInt8],
        invalidate: @escaping @Sendable () -> Void
    ) {
        self.representation = representation
        self.publicKey = publicKey
        self.sign = sign
        self.invalidate = invalidate
    }

    deinit { invalidate() }
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
