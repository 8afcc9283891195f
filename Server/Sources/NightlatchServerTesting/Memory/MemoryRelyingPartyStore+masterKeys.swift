public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func masterKeyState() async throws(RelyingPartyStoreError) -> MasterKeyState? { masterKey }

    public func changeMasterKey(
        _ change: MasterKeyChange
    ) async throws(RelyingPartyStoreError) -> MasterKeyChangeOutcome {
        let result = MasterKeyChangeResult(
            change, of: masterKey, processes: Array(processes.values),
            hasSigningKeys: !sealedSigningKeys.isEmpty,
            codesEndAt: codes.values.filter { $0.usedBy == nil }.map(\.expiresAt).max(), at: clock.now())
        if let state = result.state { masterKey = state }
        if let event = result.event { append(event) }
        return result.outcome
    }

    public func report(_ process: RunningProcess) async throws(RelyingPartyStoreError) -> MasterKeyState? {
        let now = clock.now()
        processes = processes.filter { $0.value.isAlive(at: now) }
        processes[process.id] = process.seen(at: now)
        return masterKey
    }

    public func endProcess(_ id: RunningProcessID) async throws(RelyingPartyStoreError) { processes[id] = nil }

    public func runningProcesses() async throws(RelyingPartyStoreError) -> [RunningProcess] {
        let now = clock.now()
        return processes.values.filter { $0.isAlive(at: now) }
            .sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }

    public func use(of key: MasterKeyID) async throws(RelyingPartyStoreError) -> MasterKeyUse {
        let pins = pinHardenings.values.map(\.sealedUnder).filter { !$0.isEmpty }
        let keys = sealedSigningKeys.map(\.masterKey)
        return MasterKeyUse(
            signingKeys: .init(under: keys.count { $0 == key }, other: keys.count { $0 != key }),
            pins: .init(under: pins.count { $0 == key.rawValue }, other: pins.count { $0 != key.rawValue }))
    }

    public func replaceBox(
        _ box: [UInt8], of key: SealedSigningKey
    ) async throws(RelyingPartyStoreError) -> Bool {
        guard let index = sealedSigningKeys.firstIndex(where: { $0.id == key.id && $0.box == box }) else {
            return false
        }
        let stored = sealedSigningKeys[index]
        sealedSigningKeys[index] = SealedSigningKey(
            id: key.id, box: key.box, masterKey: key.masterKey, createdAt: stored.createdAt,
            activeFrom: stored.activeFrom)
        return true
    }

    public func pinKeys(
        notUnder key: MasterKeyID, after last: DeviceID?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [StoredPinKeys] {
        pinHardenings.filter { device, state in
            device.rawValue > last?.rawValue ?? "" && !["", key.rawValue].contains(state.sealedUnder)
        }.sorted { $0.key.rawValue < $1.key.rawValue }.prefix(limit)
            .map { StoredPinKeys(device: $0.key, stored: $0.value.stored) }
    }

    public func replacePinKeys(_ replacements: [PinKeyReplacement]) async throws(RelyingPartyStoreError) {
        for replacement in replacements { pinHardenings[replacement.device]?.replace(replacement.keys) }
    }
}
