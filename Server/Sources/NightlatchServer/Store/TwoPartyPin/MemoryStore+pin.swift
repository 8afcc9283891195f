public import NightlatchWire

extension MemoryStore {
    public func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening {
        pinHardenings[device] ?? PinHardening()
    }

    public func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(StoreError) -> PinStepOutcome {
        var state = pinHardenings[device] ?? PinHardening()
        guard let device = devices[device], device.user == user else { return .refused(.notEntitled, PinHardening()) }
        let code: EnrolmentCodeMAC? = if case .open(_, let code) = step.action { code } else { nil }
        let isCodeGood = code.map { usableCode($0, for: device.key.thumbprint)?.user == user } ?? false
        let before = state
        let result = state.take(step, of: device, isCodeGood: isCodeGood, at: clock.now())
        if state != before { pinHardenings[device.id] = state }
        if result.usesCode, let code { use(code, by: device) }
        for event in result.events { append(event.auditEvent(of: device)) }
        return result.outcome
    }

    /// Destroys the keys of a device that is barred for good.
    func destroyPinKeys(of device: RegisteredDevice, by actor: AuditEvent.Actor) {
        guard pinHardenings[device.id]?.destroy() == true else { return }
        append(PinStepResult.Event(.pinKeysDestroyed).auditEvent(of: device, by: actor))
    }

    /// Destroys the keys whose last guess was left unproved for too long.
    func destroyDuePinKeys(at now: NumericDate) {
        for (id, device) in devices where pinHardenings[id]?.destroyIfDue(at: now) == true {
            append(PinStepResult.Event(.pinKeysDestroyed).auditEvent(of: device, by: .server))
        }
    }
}
