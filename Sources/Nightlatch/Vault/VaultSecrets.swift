import NightlatchWire

/// The secrets of an open vault while ``OpenVault/change(_:)`` lends them out. Each is opened when it is asked for and sealed
/// when it is set; none is written before the whole change is.
package struct VaultSecrets {
    private(set) var items: [String: SealedBytes]
    private let key: VaultKey

    init(_ items: [String: SealedBytes], sealedUnder key: VaultKey) {
        self.items = items
        self.key = key
    }

    /// The secret under `name`, or nil if there is none.
    package func secret(named name: SecretName) throws(OpenVaultError) -> SecretBytes? {
        guard let box = items[name.rawValue] else { return nil }
        guard let secret = key.open(box, as: name) else { throw .record(.corrupt) }
        return secret
    }

    /// Puts `secret` in the place of what is under `name`.
    package mutating func set(_ secret: borrowing SecretBytes, named name: SecretName) {
        items[name.rawValue] = key.seal(secret, as: name)
    }

    /// Removes what is under `name`, if there is anything.
    package mutating func remove(_ name: SecretName) {
        items[name.rawValue] = nil
    }
}
