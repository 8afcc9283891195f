import NightlatchWire

/// The secrets of an open vault, as ``OpenVault/change(_:)`` lends them to its closure.
///
/// Each secret is opened when it is read and sealed when it is set. All changes are written together at the end.
package struct VaultSecrets {
    private(set) var items: [String: SealedBytes]
    private let key: VaultKey

    init(_ items: [String: SealedBytes], sealedUnder key: VaultKey) {
        self.items = items
        self.key = key
    }

    /// Returns the secret with the name `name`, or nil if there is none.
    package func secret(named name: SecretName) throws(VaultError) -> SecretBytes? {
        guard let box = items[name.rawValue] else { return nil }
        guard let secret = key.open(box, as: name) else { throw .corrupt }
        return secret
    }

    /// Seals `secret` under `name` and replaces an earlier value.
    package mutating func set(_ secret: borrowing SecretBytes, named name: SecretName) {
        items[name.rawValue] = key.seal(secret, as: name)
    }

    /// Removes the secret with the name `name`, if there is one.
    package mutating func remove(_ name: SecretName) {
        items[name.rawValue] = nil
    }
}
