import Nightlatch
import NightlatchWire

extension TwoPartyPin {
    /// Sends a request. If it expired because the device's clock is wrong, signs and sends it once more with a
    /// corrected time.
    func send<Answer: Sendable>(
        for device: HardenedDevice,
        _ request: () async throws(PinHardenerError) -> Answer
    ) async throws(PinHardenerError) -> Answer {
        guard device.account?.issuer == relyingParty.issuer else { throw .elsewhere(device) }
        do {
            return try await request()
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .messageExpired, let time = refusal.issuedAt
            else {
                throw error
            }
            await memory.note(time)
            return try await request()
        }
    }

    func message(
        _ statement: some PinStatement,
        of device: HardenedDevice,
        by key: any DeviceKey
    ) async throws(PinHardenerError) -> String {
        guard let account = device.account else { throw .elsewhere(device) }
        let now = await memory.time()
        let claims = PinClaims(
            issuer: clientID, subject: account.user, audience: account.issuer, device: device.device, issuedAt: now,
            expiresAt: now + MessageLife.ofAssertions, statement)
        do {
            return try await key.sign(claims, carryingKey: true)
        } catch {
            throw .key(error)
        }
    }

    /// Returns the key that signs guesses.
    func possessionKey(of device: HardenedDevice) async throws(PinHardenerError) -> any DeviceKey {
        guard let account = device.account else { throw .elsewhere(device) }
        return try await key(account.possessionKey, access: .unattended)
    }

    func key(_ tag: KeyTag, access: borrowing KeyAccess) async throws(PinHardenerError) -> any DeviceKey {
        let key: (any DeviceKey)?
        do {
            key = try await keys.find(tag, access: access)
        } catch {
            throw .key(error)
        }
        guard let key else { throw .key(DeviceKeyError(.absent)) }
        return key
    }
}
