public import Foundation
public import NightlatchWire

/// An error that occurs while signing with a wallet key.
public enum WalletSigningError: Error, Hashable, Sendable {
    /// The same as ``UnlockError/noVault``.
    case noVault
    /// The PIN was refused, most often because it was wrong. The refusal contains the number of attempts left.
    case refused(PinRefusal)
    /// The same as ``UnlockError/cancelled``.
    case cancelled
    /// The PIN could not be tried, or its outcome could not be stored; see ``UnlockError/vault(_:)``.
    case unlock(VaultError)
    /// The PIN is right, but the vault has no wallet key with this name.
    case noKey
    /// The PIN is right, but the vault could not be used: it was changed or removed at the same time, or it is damaged.
    case vault(VaultError)
    /// The PIN is right, but the system's cryptography failed. Try again.
    case cryptography
}

/// A signature by a wallet key, and the findings of the unlock for it. Later unlocks do not report them again.
public struct WalletSignature: Hashable, Sendable {
    /// The signature, 64 bytes.
    public let bytes: [UInt8]
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): tell the user.
    public let foreignGuesses: ForeignGuesses?
    /// The error of the unlock, if it had to rekey the vault and could not (``OpenVault/rekeyFailure``).
    public let rekeyFailure: VaultError?
}

extension Vault {
    /// Signs `bytes` with a wallet key, on this device alone, after a PIN for this one signature.
    ///
    /// The PIN is an attempt like any other: it is charged before it is tested, and a wrong one counts and signs
    /// nothing. The vault is open only while the key is read, and the key is in memory only while it signs. Other
    /// openings of the vault make no difference. A crash at any point leaves no signature and at most one counted
    /// attempt.
    ///
    /// **Exactly the given bytes are signed**, without a prefix, because chains and wallets define what is signed. So
    /// show the user the meaning of the bytes before you ask for the PIN. Use a key for one purpose: a signature for
    /// one chain is valid on any other chain that reads the same bytes. The library never signs anything for a relying
    /// party with a wallet key, and a relying party knows no wallet key. So a wallet signature cannot bind, log in or
    /// confirm anything.
    ///
    /// If the wallet is to have another PIN than the login, give it a separate vault.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to sign. ``WalletKeyKind`` describes the algorithm and the form of the signature; the same
    ///     bytes may have a different signature each time.
    ///   - name: The key's name.
    ///   - pin: The PIN that the user has just typed.
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
            switch error {
            case .noVault: throw .noVault
            case .refused(let refusal): throw .refused(refusal)
            case .cancelled: throw .cancelled
            case .vault(let error): throw .unlock(error)
            }
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
        guard let key = WalletPrivateKey(sealed: secret) else { throw .vault(.corrupt) }
        do {
            return WalletSignature(
                bytes: try key.signature(for: bytes), foreignGuesses: open.foreignGuesses,
                rekeyFailure: open.rekeyFailure)
        } catch {
            throw .cryptography
        }
    }
}
