package import Crypto
package import Foundation
package import Nightlatch

/// The calls into the Secure Enclave that do not ask the user.
///
/// Stored closures return results instead of throwing. A stored closure with typed throws has metadata that only iOS 18
/// and later can make. Before iOS 18, printing a value with such a closure would end the process.
package struct EnclaveCalls: Sendable {
    /// Whether the device has a Secure Enclave.
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

    /// Makes a signing key with its own context. Only the key's representation can be stored.
    package func makeSigningKey(
        _ control: EnclaveAccessControl,
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveSigningKey {
        try signingKeyMaking(control, settings, access).get()
    }

    /// Opens the signing key with this representation, with its own context.
    package func openSigningKey(
        _ representation: [UInt8],
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveSigningKey {
        try signingKeyOpening(representation, settings, access).get()
    }

    /// Makes a key for key agreement. With nil settings, it is made without a context.
    package func makeAgreementKey(
        _ control: EnclaveAccessControl,
        _ settings: ContextSettings?,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> EnclaveKeyPair {
        try agreementKeyMaking(control, settings, access).get()
    }

    /// Computes the shared secret of the key with this representation and a public key, with its own context. Blocks
    /// the thread.
    package func agree(
        _ representation: [UInt8],
        _ publicKey: P256.KeyAgreement.PublicKey,
        _ settings: ContextSettings,
        _ access: borrowing KeyAccess
    ) throws(AppleFailure) -> SharedSecret {
        try agreement(representation, publicKey, settings, access).get()
    }
}

/// A signing key, ready for use. When the last owner releases it, its context is invalidated, with the application
/// password in it.
package final class EnclaveSigningKey: Sendable {
    /// The key, sealed by the chip for itself. No other chip can use it.
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

    /// Signs `data`. Returns R and S, 32 bytes each. Blocks the thread.
    package func sign(_ data: Data) throws(AppleFailure) -> [UInt8] {
        try signature(data).get()
    }

    deinit { invalidate() }
}

/// A key for key agreement: its representation, sealed by the chip, and its public key.
package struct EnclaveKeyPair: Sendable {
    package let representation: [UInt8]
    package let publicKey: P256.KeyAgreement.PublicKey

    package init(representation: [UInt8], publicKey: P256.KeyAgreement.PublicKey) {
        self.representation = representation
        self.publicKey = publicKey
    }
}
