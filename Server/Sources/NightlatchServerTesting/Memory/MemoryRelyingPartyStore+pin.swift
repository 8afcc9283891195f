public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func pinHardening(of device: DeviceID) async throws(RelyingPartyStoreError) -> PinHardening {
        pinHardenings[device] ?? PinHardening()
    }

    public func pinHardening(
        of device: DeviceID, naming key: KeyID
    ) async throws(RelyingPartyStoreError) -> PinHardening? {
        pinHardenings[device].flatMap { PinHardening.isKey(key, namedIn: $0.stored) ? $0 : nil }
    }

    public func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(RelyingPartyStoreError) -> PinStepOutcome {
        var state = pinHardenings[device] ?? PinHardening()
        guard let device = devices[device], device.user == user else { return .refused(.notEntitled, PinHardening()) }
        let code: EnrolmentCodeMAC? = if case .open(_, let code) = step.action { code } else { nil }
        let isCodeGood = code.map { unusedCode($0)?.user == user } ?? false
        if let key = step.newKey { try masterKey.require(key.masterKey) }
        try step.requireOpenable(in: state)
        let before = state
        let time = observedClock.beginReading().time(clock.now())
        let result = state.take(step, of: device, isCodeGood: isCodeGood, at: time)
        if state != before { pinHardenings[device.id] = state }
        if result.usesCode, let code { use(code, by: device) }
        for event in result.events { append(event.auditEvent(of: device)) }
        return result.outcome
    }

    public func destroyDuePinKeys(guessLimit: Int) async throws(RelyingPartyStoreError) {
        let now = observedClock.beginReading().time(clock.now()).now
        for (id, device) in devices {
            guard let stored = pinHardenings[id]?.stored else { continue }
            keep(PinDestruction(ofDue: stored, guessLimit: guessLimit, at: now), of: device)
        }
    }

    /// Destroys the PIN keys of a device that is revoked or replaced.
    func destroyPinKeys(of device: DeviceRecord, by actor: ActingParty) {
        guard let stored = pinHardenings[device.id]?.stored else { return }
        keep(PinDestruction(ofStopped: stored, by: actor, at: clock.now()), of: device)
    }

    private func keep(_ destruction: PinDestruction?, of device: DeviceRecord) {
        guard let destruction else { return }
        pinHardenings[device.id] = destruction.state
        if let event = destruction.event { append(event.auditEvent(of: device)) }
    }
}
