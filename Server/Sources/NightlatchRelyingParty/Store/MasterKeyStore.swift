public import NightlatchWire

/// The master key's state, and the stored boxes under it. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol MasterKeyStore: Sendable {
    /// The state; nil before the first process of a release with rotation has started. Writes nothing.
    func masterKeyState() async throws(RelyingPartyStoreError) -> MasterKeyState?

    /// Makes a change, or says which processes it must wait for.
    ///
    /// ``MasterKeyStore/report(_:)`` and this verb take turns, so a change sees each process that was told the earlier
    /// state.
    func changeMasterKey(_ change: MasterKeyChange) async throws(RelyingPartyStoreError) -> MasterKeyChangeOutcome

    /// Records that a process runs, which keys it knows and under which it seals, and forgets processes that have not
    /// reported for ``RunningProcess/life``.
    ///
    /// - Returns: The state after the report.
    func report(_ process: RunningProcess) async throws(RelyingPartyStoreError) -> MasterKeyState?

    /// Forgets a process that ends. Idempotent.
    func endProcess(_ id: RunningProcessID) async throws(RelyingPartyStoreError)

    /// The processes that are alive, in the order of their names. Writes nothing.
    func runningProcesses() async throws(RelyingPartyStoreError) -> [RunningProcess]

    /// Counts the stored values under `key` and the others. Reads a whole table, and writes nothing.
    func use(of key: MasterKeyID) async throws(RelyingPartyStoreError) -> MasterKeyUse

    /// Replaces the box of a signing key, if the stored box is `box`.
    ///
    /// - Returns: Whether it was replaced. If not, another call has replaced it, or the key was removed.
    func replaceBox(_ box: [UInt8], of key: SealedSigningKey) async throws(RelyingPartyStoreError) -> Bool

    /// The keys of two-party PINs that are not all sealed under `key`, in the order of the devices' ids. Writes
    /// nothing.
    ///
    /// - Parameters:
    ///   - key: The master key.
    ///   - last: Only devices after this one; nil to start with the first.
    ///   - limit: The largest number of devices to return.
    func pinKeys(
        notUnder key: MasterKeyID, after last: DeviceID?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [StoredPinKeys]

    /// Replaces the boxes of keys of two-party PINs, in one transaction for all devices.
    ///
    /// A key whose stored box has changed, or that was destroyed, stays as it is: the steps of a device and this verb
    /// take turns. No other part of a state changes.
    ///
    /// - Parameter replacements: At most about fifty devices, so that other verbs do not wait long.
    func replacePinKeys(_ replacements: [PinKeyReplacement]) async throws(RelyingPartyStoreError)
}

/// The keys of a device's two-party PIN.
public struct StoredPinKeys: Hashable, Sendable {
    public let device: DeviceID
    /// Empty if they were destroyed; nil if the state is unreadable.
    public let keys: [SealedPinKey]?

    package init(device: DeviceID, stored: [UInt8]) {
        self.device = device
        do {
            keys = try PinHardening(stored: stored).keys
        } catch {
            keys = nil
        }
    }
}

/// New boxes for the keys of a device's two-party PIN.
public struct PinKeyReplacement: Hashable, Sendable {
    public let device: DeviceID
    /// The replaced and the new key, which differ only in their boxes.
    public let keys: [SealedPinKey: SealedPinKey]

    public init(device: DeviceID, keys: [SealedPinKey: SealedPinKey]) {
        self.device = device
        self.keys = keys
    }
}
