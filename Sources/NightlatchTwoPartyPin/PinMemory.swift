import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The state of a process's exchanges with a relying party. With it, most requests need no query before them.
///
/// It is never stored, and all of it may be out of date: then a refusal contains the current state.
actor PinMemory {
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The number of seconds by which the relying party's clock is ahead of the device's.
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

    /// Returns the time by the relying party's clock, as far as it is known.
    func time() -> NumericDate { NumericDate(secondsSince1970: deviceTime + lead) }

    /// Records the time by the relying party's clock.
    func note(_ time: NumericDate) { lead = time.secondsSince1970 - deviceTime }

    /// Returns the known window, or records and returns `window` if none is known. When a later window is recorded, the
    /// lost guesses of this one are forgotten.
    func window(of device: DeviceID, otherwise window: PinWindow) -> PinWindow {
        let known = windows[device] ?? window
        windows[device] = known
        return known
    }

    /// Records the window of an answer. A late answer has an earlier window, which is ignored: it says nothing about
    /// the device's current state.
    func note(_ window: PinWindow, of device: DeviceID) {
        if let known = windows[device], window < known { return }
        begin(window, of: device)
    }

    private func begin(_ window: PinWindow, of device: DeviceID) {
        if let known = windows[device], known != window { guesses.forget(of: device) }
        windows[device] = window
    }

    /// Returns the number of the next epoch to open, if it is known, and forgets it. So each number is used once; after
    /// that, ask the relying party.
    func takeNextEpoch(of device: DeviceID) -> PinEpoch? { nextEpochs.removeValue(forKey: device) }

    func note(_ standing: PinStanding, of device: DeviceID) {
        begin(standing.window, of: device)
        nextEpochs[device] = standing.nextEpoch
        note(standing.issuedAt)
    }

    /// Returns the element to send for `input`. This is the element that was already sent, if its answer is
    /// outstanding.
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
