import Crypto
import Foundation
import Nightlatch
import NightlatchWire

extension MemoryPinState {
    mutating func evaluate(
        _ input: [UInt8],
        for epoch: HardenedEpoch,
        in window: PinWindow,
        _ request: UUID
    ) -> Result<HardenedPin, PinHardenerError> {
        var row = devices[epoch.device.device] ?? Device()
        guard row.hasKeys else { return .failure(withoutKeys(row)) }
        guard let live = row.live(epoch.epoch) else { return .failure(.epochPassed(standing(of: row))) }
        guard row.window == window else { return .failure(refusal(.pinWindowPassed, of: row)) }
        let guess: Guess
        if let known = row.guesses.first(where: { $0.epoch == epoch.epoch && $0.request == request }) {
            guess = known
        } else {
            guard row.charged.count < limit else {
                row.destroy()
                devices[epoch.device.device] = row
                return .failure(.destroyed)
            }
            guess = Guess(id: .random(), epoch: epoch.epoch, request: request)
            row.guesses.append(guess)
            row.exhaustedAt = row.charged.count >= limit ? now : nil
            chargedCount += 1
        }
        devices[epoch.device.device] = row
        let key = HMAC<SHA384>.authenticationCode(for: input, using: live.key)
        guard let charged = PinGuessIDs(row.charged.map(\.id)) else { return .failure(.notGenuine) }
        return .success(
            HardenedPin(
                key: SymmetricKey(data: Array(key)), guess: HardenedGuess(id: guess.id, window: row.window),
                charged: charged, triesLeft: limit - row.charged.count))
    }

    mutating func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by key: KeyID
    ) -> Result<PinWindow, PinHardenerError> {
        guard var row = devices[epoch.device.device] else { return .failure(withoutKeys(Device())) }
        let clearing = Clearing(guess: guess, epoch: epoch.epoch, signer: key)
        guard row.lastClearing != clearing else { return .success(guess.window.next) }
        guard row.knowledgeKey == key else { return .failure(refusal(.messageRefused, of: row)) }
        guard let current = row.current else { return .failure(withoutKeys(row)) }
        guard current.number == epoch.epoch else { return .failure(.epochPassed(standing(of: row))) }
        if let error = clear(&row, clearing, keeping: { !own.ids.contains($0.id) }) { return .failure(error) }
        devices[epoch.device.device] = row
        return .success(row.window)
    }

    /// Begins a new window, if the guess was charged in the current one. The other guesses for which `isKept` returns
    /// true still count.
    func clear(_ row: inout Device, _ clearing: Clearing, keeping isKept: (Guess) -> Bool) -> PinHardenerError? {
        guard clearing.guess.window == row.window else { return refusal(.pinWindowPassed, of: row) }
        guard row.guesses.contains(where: { $0.id == clearing.guess.id && $0.epoch == clearing.epoch }) else {
            return refusal(.pinGuessUnknown, of: row)
        }
        row.lastClearing = clearing
        row.unexplained = row.charged.filter { $0.id != clearing.guess.id && isKept($0) }
        row.guesses = []
        row.exhaustedAt = nil
        row.window = row.window.next
        return nil
    }
}
