package import NightlatchWire

extension MeasuredStore {
    package func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening {
        try await metrics.pinHardening.measure { () async throws(StoreError) in
            try await base.pinHardening(of: device)
        }
    }

    package func pinHardening(of device: DeviceID, naming key: KeyID) async throws(StoreError) -> PinHardening? {
        try await metrics.pinHardening.measure { () async throws(StoreError) in
            try await base.pinHardening(of: device, naming: key)
        }
    }

    package func recordPinStep(
        _ step: PinStep, of device: DeviceID, user: UserID
    ) async throws(StoreError) -> PinStepOutcome {
        try await metrics.recordPinStep.measure { () async throws(StoreError) in
            try await base.recordPinStep(step, of: device, user: user)
        }
    }

    package func destroyDuePinKeys(guessLimit: Int) async throws(StoreError) {
        try await metrics.destroyDuePinKeys.measure { () async throws(StoreError) in
            try await base.destroyDuePinKeys(guessLimit: guessLimit)
        }
    }
}
