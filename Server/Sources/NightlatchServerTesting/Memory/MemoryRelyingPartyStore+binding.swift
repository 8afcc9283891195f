public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(RelyingPartyStoreError) -> NumericDate? {
        if let password = code.password, passwords[code.user]?.password != password { return nil }
        noteUser(code.user)
        let expiresAt = clock.now() + code.life
        codes[code.mac] = Code(user: code.user, expiresAt: expiresAt)
        append(AuditEvent(.enrolmentCodeCreated, by: code.actor, user: code.user))
        return expiresAt
    }

    public func user(
        enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID
    ) async throws(RelyingPartyStoreError) -> UserID? {
        usableCode(code, for: deviceKey)?.user
    }

    public func bind(
        _ binding: NewBinding, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> BindingOutcome {
        let keyID = binding.key.thumbprint
        guard clock.now() <= use.expiresAt else { return .challengeExpired }
        if let used = usedChallenges[use.challenge] {
            guard used.message == use.message else { return .challengeUsed }
            return devices[used.device]?.stop.map(BindingOutcome.deviceStopped) ?? .bound(used.device)
        }
        guard let code = usableCode(binding.enrolmentCode, for: keyID), code.user == binding.user else {
            return .codeRefused
        }
        let known = devices.values.first { $0.key == binding.key }
        if known == nil {
            let active = devices.values.filter { $0.user == binding.user && $0.revokedAt == nil }
            guard binding.allowsOneMore(than: active.count) else { return .tooManyDevices }
        }
        var device =
            known
            ?? DeviceRecord(
                id: .random(), user: binding.user, client: binding.client, key: binding.key,
                algorithm: binding.algorithm, keyID: keyID, possessionKey: binding.possessionKey, name: binding.name,
                boundAt: clock.now())
        guard device.user == binding.user, device.client == binding.client else { return .keyTaken }
        if let stop = device.stop { return .deviceStopped(stop) }
        device.algorithm = binding.algorithm
        device.possessionKey = binding.possessionKey
        device.name = binding.name
        devices[device.id] = device
        if families[device.id]?.family.possessionKey != binding.possessionKey { families[device.id] = nil }
        codes[binding.enrolmentCode]?.usedBy = (keyID, device.id)
        note(use, device: device.id)
        append(AuditEvent(.deviceBound, by: .device, user: device.user, device: device.id))
        if binding.policy == .one { replaceOthers(by: device) }
        return .bound(device.id)
    }

    func usableCode(_ mac: EnrolmentCodeMAC, for key: KeyID) -> Code? {
        guard let code = codes[mac] else { return nil }
        guard let usedBy = code.usedBy else { return clock.now() <= code.expiresAt ? code : nil }
        return usedBy.key == key && clock.now() <= code.expiresAt + StoreRetention.enrolmentCode ? code : nil
    }

    /// Returns the code if it is unused and has not expired; otherwise nil.
    func unusedCode(_ mac: EnrolmentCodeMAC) -> Code? {
        codes[mac].flatMap { $0.usedBy == nil && clock.now() <= $0.expiresAt ? $0 : nil }
    }

    func use(_ code: EnrolmentCodeMAC, by device: DeviceRecord) {
        codes[code]?.usedBy = (device.keyID, device.id)
    }

    private func replaceOthers(by successor: DeviceRecord) {
        let others = devices.values.filter {
            $0.user == successor.user && $0.revokedAt == nil && $0.id != successor.id
        }
        for var other in others.sorted(by: DeviceRecord.areInOrderOfBinding) {
            other.replace(by: successor.id, at: clock.now())
            devices[other.id] = other
            families[other.id] = nil
            endSessions(by: JourneyKeyID(other.id), of: other.user, keeping: nil)
            append(AuditEvent(.deviceReplaced, by: .device, user: other.user, device: other.id))
            destroyPinKeys(of: other, by: .device)
        }
    }
}
