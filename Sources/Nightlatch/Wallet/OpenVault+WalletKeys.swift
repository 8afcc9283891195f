public import NightlatchWire

/// An error that occurs while creating a wallet key.
public enum WalletKeyError: Error, Hashable, Sendable {
    /// There is already a wallet key with this name. It was not touched: choose another name, or remove it first.
    case exists
    /// The bytes are no private key of this kind: there are not 32 of them, or for P-256 the number is zero or not less
    /// than the order of the group.
    case notAPrivateKey
    /// The vault could not be used. If the store failed while it wrote, the key may exist: check
    /// ``OpenVault/walletKeys()``.
    case vault(VaultError)
}

extension OpenVault {
    /// Creates a random wallet key and seals it. The key is durable when this returns.
    ///
    /// The private key exists only in the vault: if the vault is lost, so is the key. An app that needs a way to
    /// restore it creates the bytes itself, for example from a phrase, and calls ``importWalletKey(_:named:kind:)``.
    ///
    /// - Throws: ``WalletKeyError``, never ``WalletKeyError/notAPrivateKey``.
    @discardableResult
    public func createWalletKey(
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws(WalletKeyError) -> WalletPublicKey {
        // Ends: about one in 2³² random numbers is refused.
        while true {
            let bytes = SecretBytes.random(byteCount: WalletPrivateKey.byteCount)
            // About one in 2³² random numbers is no P-256 key. Then draw another (FIPS 186-5, appendix A.2.2).
            guard let key = WalletPrivateKey(bytes, kind: kind) else { continue }
            return try await add(key, bytes, named: name, kind: kind)
        }
    }

    /// Seals an existing wallet key. The key is durable when this returns.
    ///
    /// - Parameters:
    ///   - privateKey: 32 bytes. For Ed25519 this is the private key of RFC 8032, which others call the seed; for P-256
    ///     it is the number, the most significant byte first. The bytes are copied. The caller's copy is wiped when the
    ///     caller releases it.
    ///   - name: A name that no wallet key of this vault has.
    ///   - kind: The algorithm. Use a key with one algorithm only.
    @discardableResult
    public func importWalletKey(
        _ privateKey: borrowing SecretBytes,
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws(WalletKeyError) -> WalletPublicKey {
        guard let key = WalletPrivateKey(privateKey, kind: kind) else { throw .notAPrivateKey }
        return try await add(key, privateKey, named: name, kind: kind)
    }

    /// Returns the public halves of this vault's wallet keys, sorted by name. They are not secret: an app may also
    /// store them outside the vault to show them.
    public func walletKeys() async throws(VaultError) -> [WalletPublicKey] {
        let opened = try await current()
        var keys: [WalletPublicKey] = []
        for (rawName, box) in opened.record.sealed.content.items.sorted(by: { $0.key < $1.key }) {
            guard let secretName = SecretName(rawValue: rawName), let name = WalletKeyName(heldUnder: secretName) else {
                continue
            }
            guard let secret = opened.key.open(box, as: secretName), let key = WalletPrivateKey(sealed: secret) else {
                throw .corrupt
            }
            keys.append(key.publicKey(named: name))
        }
        return keys
    }

    /// Removes a wallet key for good. Does nothing if no wallet key has this name.
    public func removeWalletKey(named name: WalletKeyName) async throws(VaultError) {
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
