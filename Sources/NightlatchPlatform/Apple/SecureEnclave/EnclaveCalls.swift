package import Crypto
package import Foundation
package import Nightlatch

/// The calls into the Secure Enclave that ask nobody.
///
/// What is stored returns results: a stored closure with typed throws has metadata that only iOS 18 can make, so printing the value
/// would end the process before.
package struct EnclaveCalls: Sendable {
    /// Whether the device has one.
    package let isAvailable: @Sendable () -> Bool
    private let signingKeyMaking:
        @Sendable (EnclaveAccessControl, ContextSettings, borrowing KeyAccess) -> Result<
            EnclaveSigningKey, AppleFailure
        >
    private let signingKeyOpening:
        @Sendable ([UInt8], ContextSettings, borrowing KeyAccess) -> Result<EnclaveSigningKey, AppleFailure>
    private let agreementKeyMaking:
        @Sendable (EnclaveAccessControl, ContextSettings?, borrowing KeyAccess) -> Result<EnclaveKeyPair, AppleFailure>
    private let agreement:
        @Sendable ([UInt8], P256.KeyAgreement.PublicKey, ContextSettings, borrowing KeyAccess) -> Result<
            SharedSecret, AppleFailure
        >

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
        signingKeyMaking = { control, settings, access in
            do throws(AppleFailure) {
                return .success(try makeSigningKey(control, settings, access))
            } catch {
                return .failure(error)
            }
        }
        signingKeyOpening = { representation, settings, access in
            do throws(AppleFailure) {
                return .success(try openSigningKey(representation, settings, access))
            } catch {
                return .failure(error)
            }
        }
        agreementKeyMaking = { control, settings, access in
            do throws(AppleFailure) {
                return .success(try makeAgreementKey(control, settings, access))
            } catch {
                return .failure(error)
            }
        }
        agreement = { representation, publicKey, settings, access in
            do throws(AppleFailure) {
                return .success(try agree(representation, publicKey, settings, access))
            } catch {
                return .failure(error)
            }
        }
    }

    /// A new key for signatures, on a context of its own. Nothing keeps it but its representation.
    package func makeSigningKey(
        _ control: EnclaveAccessControl,
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveSigningKey {
        try signingKeyMaking(control, settings, access).get()
    }

    /// The key for signatures with this representation, on a context of its own.
    package func openSigningKey(
        _ representation: [UInt8],
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveSigningKey {
        try signingKeyOpening(representation, settings, access).get()
    }

    /// A new key for agreement. Nil in the place of settings for one that is made without a context.
    package func makeAgreementKey(
        _ control: EnclaveAccessControl,
        _ settings: ContextSettings?,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveKeyPair {
        try agreementKeyMaking(control, settings, access).get()
    }

    /// The secret that the key for agreement with this representation agrees with a public key, on a context of its own. It blocks.
    package func agree(
        _ representation: [UInt8],
        _ publicKey: P256.KeyAgreement.PublicKey,
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> SharedSecret {
        try agreement(representation, publicKey, settings, access).get()
    }
}

/// A key for signatures, ready for use. When its last owner lets it go, its context is invalidated, and the application password with it.
package final class EnclaveSigningKey: Sendable {
    /// What the chip has sealed of the key for itself: of no use anywhere else.
    package let representation: [UInt8]
    package let publicKey: P256.Signing.PublicKey
    private let signature: @Sendable (Data) -> Result<[UInt8], AppleFailure>
    private let invalidate: @Sendable () -> Void

    package init(
        representation: [UInt8],
        publicKey: P256.Signing.PublicKey,
        sign: @escaping @Sendable (Data) throws(AppleFailure) -> [UInt8],
        invalidate: @escaping @Sendable () -> Void
    ) {
        self.representation = representation
        self.publicKey = publicKey
        signature = { data in
            do throws(AppleFailure) {
                return .success(try sign(data))
            } catch {
                return .failure(error)
            }
        }
        self.invalidate = invalidate
    }

    /// The signature as R and S, 32 bytes each. It blocks.
    package func sign(_ data: Data) throws(AppleFailure) -> [UInt8] {
        try signature(data).get()
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
