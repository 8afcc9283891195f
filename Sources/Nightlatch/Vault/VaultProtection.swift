/// The protection of a vault's secrets on this device, as data for a screen or a report.
public struct VaultProtection: Hashable, Sendable {
    /// The guarantees of the record's store.
    public let store: StoreGuarantees
    /// Whether a key of the store authenticates the count of wrong PINs.
    public let authenticatesRecord: Bool
    /// The cost of each guess for an attacker with a copy of the record; nil if no PIN opens the vault.
    public let keyDerivation: KeyDerivationParameters?
    /// The device whose key the PIN needs: a key at a relying party, or one in the device's chip
    /// (``HardenedDevice/account``). Nil for a PIN that needs the record alone.
    public let hardener: HardenedDevice?
    /// Whether an attacker with a copy of the record can try all PINs on it, despite the hardener
    /// (``OfflinePinPolicy/local``).
    public let hasLocalTier: Bool
    /// Whether the vault was made for a two-party PIN that was never set: no PIN opens it yet
    /// (``Vault/resumeForTwoPartyPin(with:)``).
    public let isPinProvisional: Bool
    /// The PIN slot of a pending change of PIN; nil if there is none. Until the change is complete, an attacker with a
    /// copy of the record can try both PINs.
    public let pendingPin: PendingPin?
    /// The slots of the vault. Each opens it alone, so the vault is as safe as the weakest.
    public let slots: Set<VaultSlot>
    /// The policy for wrong PINs.
    public let lockoutPolicy: LockoutPolicy

    /// The PIN slot of a pending change: of a new PIN, or of the same one sealed again.
    public struct PendingPin: Hashable, Sendable {
        /// The cost of each guess for an attacker with a copy of the record.
        public let keyDerivation: KeyDerivationParameters
        /// The device whose key at a relying party the PIN needs; nil for a PIN that needs the record alone.
        public let hardener: HardenedDevice?
        /// Whether an attacker with a copy of the record can try all PINs on it, despite the hardener.
        public let hasLocalTier: Bool

        init(_ slot: PinSlot) {
            keyDerivation = slot.parameters
            hardener = slot.hardened?.key.device
            hasLocalTier = slot.hardened?.localTier != nil
        }
    }
}

extension Vault {
    /// Returns the protection of the vault, or nil if there is none. It does not count as an attempt.
    public func protection() async throws(VaultError) -> VaultProtection? {
        guard let record = try await read() else { return nil }
        return VaultProtection(
            store: store.guarantees, authenticatesRecord: record.recordMAC != nil,
            keyDerivation: record.sealed.slots.pin?.parameters, hardener: record.sealed.slots.pin?.hardened?.key.device,
            hasLocalTier: record.sealed.slots.pin?.hardened?.localTier != nil,
            isPinProvisional: record.sealed.slots.pin?.isProvisional == true,
            pendingPin: record.change?.slots.pin.map(VaultProtection.PendingPin.init),
            slots: Set(VaultSlot.allCases.filter(record.sealed.slots.has)),
            lockoutPolicy: lockout(of: record).policy)
    }
}
