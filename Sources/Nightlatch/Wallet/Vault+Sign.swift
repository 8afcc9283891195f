public import Foundation
public import NightlatchWire

/// Why nothing was signed.
public enum WalletSigningError: Error, Hashable, Sendable {
    /// The PIN did not open the vault. ``UnlockError/refused(_:)`` is the everyday one; it says how many tries are left.
    case unlock(UnlockError)
    /// The PIN is right, but the vault has no wallet key of that name.
    case noKey
    /// The PIN is right, but the vault could not be used: it was changed or removed at the same moment, or is damaged.
    case vault(OpenVaultError)
    /// The PIN is right, but the system's cryptography failed. Try again.
    case cryptography
}

/// A signature by a wallet key, and what the unlock for it has brought to light. No other unlock tells it again.
public struct WalletSignature: Hashable, Sendable {
    /// The signature, 64 bytes.
    public let bytes: [UInt8]
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): a person is to be told.
    public let foreignGuesses: ForeignGuesses?
    /// Why the vault was not sealed anew though that was due (``OpenVault/rekeyFailure``).
    public let rekeyFailure: RekeyError?
}

extension Vault {
    /// Signs `bytes` with a wallet key, on this device alone, after a PIN for this one signature.
    ///
    /// The PIN is an attempt like any other: it is charged before it is tried, and a wrong one counts and signs nothing. The vault is
    /// open for as long as it takes to read the key, and the key is in memory for as long as it takes to sign; whether
    /// somebody else holds the vault open makes no difference. A crash at any point leaves no signature and at most one failure.
    ///
    /// **Exactly the bytes given are signed**, without a prefix of ours, since chains and wallets say themselves what is signed. So
    /// show the person what the bytes mean before asking for the PIN, and give a key one use: what was signed for one chain is a
    /// signature for any other that reads the same bytes. Nothing that this library signs for a relying party is signed
    /// with a wallet key, and a relying party knows no wallet key; what one signs can bind, log in and confirm nothing.
    ///
    /// Where the wallet is to have a PIN that is not the login's, give it a vault of its own.
    ///
    /// - Parameters:
    ///   - bytes: What is signed. ``WalletKeyKind`` says how, and what a signature looks like; the same bytes may have a different
    ///     signature each time.
    ///   - name: The key's name.
    ///   - pin: The PIN, as the person has just typed it.
    /// - Returns: The signature.
    /// - Throws: ``WalletSigningError``.
    public func sign(
        _ bytes: some DataProtocol,
        with name: WalletKeyName,
        pin: borrowing Pin
    ) async throws(WalletSigningError) -> WalletSignature {
        let open: OpenVault
        do {
            open = try await unlock(with: pin)
        } catch {
            throw .unlock(error)
        }
        let secret: SecretBytes?
        do {
            secret = try await open.anySecret(named: SecretName(of: name))
        } catch {
            await open.lock()
            throw .vault(error)
        }
        await open.lock()
        guard let secret else { throw .noKey }
        guard let key = WalletPrivateKey(sealed: secret) else { throw .vault(.record(.corrupt)) }
        do {
            return WalletSignature(
                bytes: try key.signature(for: bytes), foreignGuesses: open.foreignGuesses,
                rekeyFailure: open.rekeyFailure)
        } catch {
            throw .cryptography
        }
    }
}
