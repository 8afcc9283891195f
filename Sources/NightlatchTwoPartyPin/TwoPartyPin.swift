package import Foundation
public import Nightlatch
public import NightlatchWire

/// The hardener of a two-party PIN (`docs/two-party-pin.md`).
///
/// The relying party has a key for each device and epoch, and counts the guesses.
///
/// ```swift
/// let pin = TwoPartyPin(relyingParty: HTTPRelyingParty(issuer: issuer), keys: keys)
/// let vault = Vault(store: store, clock: SystemLockoutClock(), hardener: pin)
/// ```
///
/// Use one value for all vaults of a process. It remembers unanswered guesses, so that repeating one is not charged
/// again.
public struct TwoPartyPin: PinHardener {
    let relyingParty: any PinRelyingParty
    let keys: any DeviceKeys
    let clientID: ClientID
    let memory: PinMemory

    /// Creates a hardener.
    ///
    /// - Parameters:
    ///   - relyingParty: The relying party that the devices are bound with.
    ///   - keys: The devices' keys.
    ///   - clientID: The app, as in the binding.
    public init(relyingParty: any PinRelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.init(
            relyingParty: relyingParty, keys: keys, clientID: clientID, now: { Date() },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) })
    }

    package init(
        relyingParty: any PinRelyingParty,
        keys: any DeviceKeys,
        clientID: ClientID = .default,
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
        memory = PinMemory(now: now, sleep: sleep)
    }

    /// The number of inputs in memory with an outstanding or lost answer.
    package var unansweredGuessCount: Int { get async { await memory.unansweredGuessCount } }

    public func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        let device = HardenedDevice(binding)
        guard binding.issuer == relyingParty.issuer else { throw .elsewhere(device) }
        let access = KeyAccess.applicationPassword(password.copy())
        return PinEpochOpener(key: try await key(binding.keys.deviceKey, access: access), code: code)
    }

    public func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        let key = try await possessionKey(of: device)
        let standing = try await send(for: device) { () async throws(PinHardenerError) -> PinStanding in
            let request = PinRequest(message: try await message(PinInquiry(), of: device, by: key))
            do throws(RelyingPartyError) {
                return try await relyingParty.pinStanding(request, answeredBy: device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        await memory.note(standing, of: device.device)
        return standing
    }

    public func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        let known = await memory.takeNextEpoch(of: device.device)
        let next: PinEpoch
        if let known { next = known } else { next = try await standing(of: device).nextEpoch }
        do {
            return try await open(next, of: device, by: opener)
        } catch .epochPassed(let standing) {
            // Another process of the device has opened an epoch at the same time.
            return try await open(standing.nextEpoch, of: device, by: opener)
        }
    }

    private func open(
        _ epoch: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        let offer = try await send(for: device) { () async throws(PinHardenerError) -> PinEpochOffer in
            let text = try await message(PinOpening(epoch: epoch), of: device, by: opener.key)
            do throws(RelyingPartyError) {
                return try await relyingParty.openPinEpoch(
                    PinOpeningRequest(message: text, enrolmentCode: opener.code),
                    answeredBy: device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        guard offer.epoch == epoch else { throw .notGenuine }
        await memory.note(offer.window, of: device.device)
        // A device that was bound before relying parties named an answer key trusts the first one that it receives.
        return HardenedEpoch(device: device.pinning(offer.answerKey), epoch: epoch, publicKey: offer.publicKey)
    }
}
