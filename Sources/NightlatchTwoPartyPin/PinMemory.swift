import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// What a process knows of its talks with a relying party, so that most requests need no question before them. Nothing of it is on disk,
/// and all of it may be out of date: a refusal tells what holds.
actor PinMemory {
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    /// By how many seconds the relying party's clock is ahead of the device's.
    private var lead = 0
    private var windows: [DeviceID: PinWindow] = [:]
    private var nextEpochs: [DeviceID: PinEpoch] = [:]
    private var guesses = UnansweredGuesses()

    init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    var unansweredGuessCount: Int { guesses.count }

    func hasLostAnswer(for epoch: HardenedEpoch) -> Bool { guesses.hasLostAnswer(for: epoch) }

    /// The relying party's clock, as far as it is known.
    func time() -> NumericDate { NumericDate(secondsSince1970: deviceTime + lead) }

    /// The relying party has told the time.
    func note(_ time: NumericDate) { lead = time.secondsSince1970 - deviceTime }

    /// The window that is known, or from now on `window`: guesses that are lost in it are forgotten when another one is heard of.
    func window(of device: DeviceID, otherwise window: PinWindow) -> PinWindow {
        let known = windows[device] ?? window
        windows[device] = known
        return known
    }

    /// An answer has named its window. One that comes late names an earlier one, which says nothing of how the device stands now.
    func note(_ window: PinWindow, of device: DeviceID) {
        if let known = windows[device], window < known { return }
        begin(window, of: device)
    }

    private func begin(_ window: PinWindow, of device: DeviceID) {
        if let known = windows[device], known != window { guesses.forget(of: device) }
        windows[device] = window
    }

    /// The number of the epoch that can be opened next. It is told once: who has used it asks again.
    func takeNextEpoch(of device: DeviceID) -> PinEpoch? { nextEpochs.removeValue(forKey: device) }

    func note(_ standing: PinStanding, of device: DeviceID) {
        begin(standing.window, of: device)
        nextEpochs[device] = standing.nextEpoch
        note(standing.issuedAt)
    }

    /// The element to send for `input`: the one that was sent before, while its answer is out.
    func begin(_ input: borrowing SecretBytes, for epoch: HardenedEpoch) throws(PinHardenerError) -> BlindedElement {
        do {
            return try guesses.begin(input, for: epoch)
        } catch {
            throw .notGenuine
        }
    }

    func output(of element: BlindedElement, in answer: PinEvaluation) throws(PinHardenerError) -> SymmetricKey {
        do {
            return try guesses.output(of: element, in: answer)
        } catch {
            throw .notGenuine
        }
    }

    func end(_ element: BlindedElement, isDecided: Bool) {
        guard guesses.end(element, isDecided: isDecided) else { return }
        Task { [weak self, sleep] in
            do {
                try await sleep(UnansweredGuesses.life)
            } catch {
                return
            }
            await self?.forget(element)
        }
    }

    private func forget(_ element: BlindedElement) { guesses.forget(element) }

    private var deviceTime: Int { NumericDate(now()).secondsSince1970 }
}
