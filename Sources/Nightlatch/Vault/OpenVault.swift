public import NightlatchWire

/// A vault that a PIN has opened: the only way to its secrets.
///
/// It holds the vault key until ``lock()``, or until the last reference to it goes; then the key is overwritten. Several can be
/// open at once, in several processes: each call works on the record as it stands, and no change is lost.
public actor OpenVault {
    private let vault: Vault
    private let epoch: UInt64
    private var key: VaultKey?

    init(vault: Vault, key: VaultKey, epoch: UInt64) {
        self.vault = vault
        self.key = key
        self.epoch = epoch
    }

    /// Forgets the vault key. Every later call throws ``OpenVaultError/locked``.
    public func lock() {
        key = nil
    }

    /// The names of the secrets, in order.
    public func names() async throws(OpenVaultError) -> [SecretName] {
        try await current().record.sealed.content.items.keys.sorted().compactMap(SecretName.init)
    }

    /// The secret under `name`, or nil if there is none.
    public func secret(named name: SecretName) async throws(OpenVaultError) -> SecretBytes? {
        let (record, key) = try await current()
        guard let box = record.sealed.content.items[name.rawValue] else { return nil }
        guard let secret = key.open(box, as: name) else { throw .record(.corrupt) }
        return secret
    }

    /// Seals `secret` under `name`, in the place of what was there. It is durable when this returns.
    public func set(_ secret: borrowing SecretBytes, named name: SecretName) async throws(OpenVaultError) {
        while true {
            let (record, key) = try await current()
            var items = record.sealed.content.items
            items[name.rawValue] = key.seal(secret, as: name)
            if try await replace(items, in: record, under: key) { return }
        }
    }

    /// Removes the secrets under `names` together. Names that are not there are no error.
    public func remove(_ names: Set<SecretName>) async throws(OpenVaultError) {
        while true {
            let (record, key) = try await current()
            let items = record.sealed.content.items.filter { item in !names.contains { $0.rawValue == item.key } }
            guard items.count < record.sealed.content.items.count else { return }
            if try await replace(items, in: record, under: key) { return }
        }
    }

    /// The record as it stands, known to be this key's, and the key.
    func current() async throws(OpenVaultError) -> (record: VaultRecord, key: VaultKey) {
        guard let key else { throw .locked }
        let record: VaultRecord?
        do {
            record = try await vault.read()
        } catch {
            throw .record(error)
        }
        guard let record, record.sealed.pinSlot?.epoch == epoch else { throw .superseded }
        guard key.vouches(for: record.sealed.content) else { throw .record(.corrupt) }
        return (record, key)
    }

    func replace(
        _ items: [String: SealedBytes],
        in record: VaultRecord,
        under key: VaultKey
    ) async throws(OpenVaultError) -> Bool {
        var record = record
        let content = key.vouch(for: items, generation: record.sealed.content.generation + 1)
        guard content.byteCount <= VaultContent.byteCountLimit else { throw .record(.tooLarge) }
        record.sealed.content = content
        do {
            return try await vault.write(&record)
        } catch {
            throw .record(error)
        }
    }
}
