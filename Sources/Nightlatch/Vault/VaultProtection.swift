/// What protects a vault's secrets on this device, as data for a screen or a report.
public struct VaultProtection: Hashable, Sendable {
    /// What the place of the record promises.
    public let store: StoreGuarantees
    /// Whether a key of the store vouches for the count of failed PINs.
    public let authenticatesRecord: Bool
    /// What each guess at the PIN costs whoever has a copy of the record; nil if no PIN opens the vault.
    public let keyDerivation: KeyDerivationParameters?
    /// The device whose key at a relying party, or in its chip (``HardenedDevice/account``), has a part in the PIN; nil for a PIN that
    /// nothing but the record has a part in.
    public let hardener: HardenedDevice?
    /// Whether a copy of the record can be searched for the PIN in spite of the hardener (``OfflinePinPolicy/local``).
    public let hasLocalTier: Bool
    /// Whether the vault was made for a two-party PIN that was never set: no PIN opens it yet
    /// (``Vault/resumeForTwoPartyPin(with:)``).
    public let isPinProvisional: Bool
    /// What a change of the PIN that is under way gives whoever has a copy of the record; nil if there is none. Until it is done, both PINs may
    /// be tried.
    public let pendingPin: PendingPin?
    /// The ways into the vault. Each opens it by itself, so it is as safe as the weakest.
    public let ways: Set<VaultWay>
    /// How failed attempts are answered.
    public let lockoutPolicy: LockoutPolicy

    /// The PIN slot of a change that is under way: of a new PIN, or the same one sealed anew.
    public struct PendingPin: Hashable, Sendable {
        /// What each guess costs whoever has a copy of the record.
        public let keyDerivation: KeyDerivationParameters
        /// The device whose key at a relying party has a part in it; nil if nothing but the record has.
        public let hardener: HardenedDevice?
        /// Whether a copy of the record can be searched for it in spite of the hardener.
        public let hasLocalTier: Bool

        init(_ slot: PinSlot) {
            keyDerivation = slot.parameters
            hardener = slot.hardened?.key.device
            hasLocalTier = slot.hardened?.localTier != nil
        }
    }
}

extension Vault {
    /// What protects the vault, or nil if there is none. It counts as no attempt.
    public func protection() async throws(VaultRecordError) -> VaultProtection? {
        guard let record = try await read() else { return nil }
        return VaultProtection(
            store: store.guarantees, authenticatesRecord: record.recordMAC != nil,
            keyDerivation: record.sealed.slots.pin?.parameters, hardener: record.sealed.slots.pin?.hardened?.key.device,
            hasLocalTier: record.sealed.slots.pin?.hardened?.localTier != nil,
            isPinProvisional: record.sealed.slots.pin?.isProvisional == true,
            pendingPin: record.change?.slots.pin.map(VaultProtection.PendingPin.init),
            ways: Set(VaultWay.allCases.filter(record.sealed.slots.has)), lockoutPolicy: lockout.policy)
    }
}
