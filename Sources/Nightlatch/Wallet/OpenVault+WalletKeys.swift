public import NightlatchWire

/// Why a wallet key was not made.
public enum WalletKeyError: Error, Hashable, Sendable {
    /// There is a wallet key of that name. It was not touched: choose another name, or remove it first.
    case exists
    /// The bytes are no private key of that kind: not 32, or for P-256 zero or beyond the order of the group.
    case notAPrivateKey
    /// The vault could not be used. If the store failed in the act the key may be there: ``OpenVault/walletKeys()`` tells.
    case vault(OpenVaultError)
}

extension OpenVault {
    /// Makes a wallet key, a random one, and seals it. It is durable when this returns.
    ///
    /// The private key exists in the vault alone: with the vault it is lost. An app that wants a way to restore it makes the bytes
    /// itself, from a phrase for instance, and calls ``importWalletKey(_:named:kind:)``.
    ///
    /// - Throws: ``WalletKeyError``, never ``WalletKeyError/notAPrivateKey``.
    @discardableResult
    public func createWalletKey(
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws(WalletKeyError) -> WalletPublicKey {
        // Ends: of 2³² random numbers one or so is refused.
        while true {
            let bytes = SecretBytes.random(byteCount: WalletPrivateKey.byteCount)
            // Of 2³² random numbers one or so is no key of P-256: then another is drawn (FIPS 186-5, appendix A.2.2).
            guard let key = WalletPrivateKey(bytes, kind: kind) else { continue }
            return try await add(key, bytes, named: name, kind: kind)
        }
    }

    /// Seals a wallet key that exists already. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - privateKey: 32 bytes: for Ed25519 what RFC 8032 calls the private key and others call the seed; for P-256 the number,
    ///     the most significant byte first. They are copied; the caller's own are wiped when the caller lets go of them.
    ///   - name: A name that no wallet key of this vault has.
    ///   - kind: The algorithm. A key is to be used with one alone.
    @discardableResult
    public func importWalletKey(
        _ privateKey: borrowing SecretBytes,
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws(WalletKeyError) -> WalletPublicKey {
        guard let key = WalletPrivateKey(privateKey, kind: kind) else { throw .notAPrivateKey }
        return try await add(key, privateKey, named: name, kind: kind)
    }

    /// The wallet keys of this vault, by name. Public keys are no secrets: an app may keep them where it shows them.
    public func walletKeys() async throws(OpenVaultError) -> [WalletPublicKey] {
        let opened = try await current()
        var keys: [WalletPublicKey] = []
        for (rawName, box) in opened.record.sealed.content.items.sorted(by: { $0.key < $1.key }) {
            guard let secretName = SecretName(rawValue: rawName), let name = WalletKeyName(heldUnder: secretName) else {
                continue
            }
            guard let secret = opened.key.open(box, as: secretName), let key = WalletPrivateKey(sealed: secret) else {
                throw .record(.corrupt)
            }
            keys.append(key.publicKey(named: name))
        }
        return keys
    }

    /// Removes a wallet key for good. A name that no wallet key has is no error.
    public func removeWalletKey(named name: WalletKeyName) async throws(OpenVaultError) {
        try await removeAny([SecretName(of: name)])
    }

    private func add(
        _ key: WalletPrivateKey,
        _ bytes: borrowing SecretBytes,
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws(WalletKeyError) -> WalletPublicKey {
        let isAdded: Bool
        do {
            isAdded = try await add(WalletPrivateKey.sealing(bytes, kind: kind), named: SecretName(of: name))
        } catch {
            throw .vault(error)
        }
        guard isAdded else { throw .exists }
        return key.publicKey(named: name)
    }
}
