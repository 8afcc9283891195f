public import Nightlatch
public import NightlatchWire

extension TwoPartyPin {
    public func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let key = try await possessionKey(of: epoch.device)
        let element = try await memory.begin(input, for: epoch)
        do throws(PinHardenerError) {
            let answer = try await evaluate(element, for: epoch, in: window, by: key)
            guard answer.epoch == epoch.epoch, answer.charged.ids.contains(answer.guess) else {
                throw PinHardenerError.notGenuine
            }
            let output = try await memory.output(of: element, in: answer)
            await memory.end(element, isDecided: true)
            return HardenedPin(
                key: output, guess: HardenedGuess(id: answer.guess, window: answer.window), charged: answer.charged,
                triesLeft: answer.triesLeft, wait: answer.wait?.duration)
        } catch {
            await memory.end(element, isDecided: error.forgetsGuess)
            throw error
        }
    }

    public func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { await memory.hasLostAnswer(for: epoch) }

    /// Asks the relying party to evaluate `element`. If the known window is over, repeats the request in the window
    /// that the refusal names.
    private func evaluate(
        _ element: BlindedElement,
        for epoch: HardenedEpoch,
        in window: PinWindow?,
        by key: any DeviceKey
    ) async throws(PinHardenerError) -> PinEvaluation {
        let device = epoch.device
        let known = await memory.window(of: device.device, otherwise: window ?? .first)
        do {
            return try await evaluate(element, for: epoch, in: known, by: key)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .pinWindowPassed, let standing = refusal.pin
            else {
                throw error
            }
            await memory.note(standing, of: device.device)
            return try await evaluate(element, for: epoch, in: standing.window, by: key)
        }
    }

    private func evaluate(
        _ element: BlindedElement,
        for epoch: HardenedEpoch,
        in window: PinWindow,
        by key: any DeviceKey
    ) async throws(PinHardenerError) -> PinEvaluation {
        let answer = try await send(for: epoch.device) { () async throws(PinHardenerError) -> PinEvaluation in
            let guess = PinGuess(epoch: epoch.epoch, window: window, blindedElement: element)
            let request = PinRequest(message: try await message(guess, of: epoch.device, by: key))
            do throws(RelyingPartyError) {
                return try await relyingParty.evaluatePin(request, answeredBy: epoch.device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        await memory.note(answer.window, of: epoch.device.device)
        return answer
    }

    public func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        let device = epoch.device
        let clearing = try await send(for: device) { () async throws(PinHardenerError) -> PinClearing in
            let proof = PinProof(epoch: epoch.epoch, window: guess.window, guess: guess.id, own: own)
            let request = PinRequest(message: try await message(proof, of: device, by: knowledgeKey))
            do throws(RelyingPartyError) {
                return try await relyingParty.provePin(request, answeredBy: device.account?.answerKey)
            } catch {
                throw PinHardenerError(error)
            }
        }
        await memory.note(clearing.window, of: device.device)
        return clearing.window
    }
}
