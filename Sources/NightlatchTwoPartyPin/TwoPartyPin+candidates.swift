public import Nightlatch
public import NightlatchWire

extension TwoPartyPin {
    public func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        let (device, epoch) = (candidate.device, candidate.epoch)
        let clearing = try await send(for: device) { () async throws(PinHardenerError) -> PinClearing in
            let promotion = PinPromotion(
                epoch: epoch, window: guess.window, guess: guess.id, knowledgeKey: knowledgeKey.publicKey.thumbprint,
                publicKey: candidate.publicKey)
            let candidacy = PinCandidacy(
                epoch: epoch, window: guess.window, guess: guess.id, publicKey: candidate.publicKey)
            let request = PinPromotionRequest(
                message: try await message(promotion, of: device, by: opener.key),
                knowledgeKeyMessage: try await message(candidacy, of: device, by: knowledgeKey))
            do throws(RelyingPartyError) {
                return try await relyingParty.promotePinEpoch(request, answeredBy: device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        await memory.note(clearing.window, of: device.device)
        return clearing.window
    }

    public func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        let standing = try await send(for: device) { () async throws(PinHardenerError) -> PinStanding in
            let text = try await message(PinAbandonment(epoch: candidate), of: device, by: opener.key)
            do throws(RelyingPartyError) {
                return try await relyingParty.abandonPinEpoch(
                    PinRequest(message: text), answeredBy: device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        await memory.note(standing, of: device.device)
    }
}
