import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The state and the rules of the relying party's side of hardened PINs, as far as a client can observe them
/// (`docs/two-party-pin.md`).
struct MemoryPinState: Sendable {
    struct Epoch: Sendable {
        let number: PinEpoch
        let key = SymmetricKey(size: .bits256)
        let publicKey: PinPublicKey
    }

    struct Candidate: Sendable {
        let epoch: Epoch
        /// The key that opened it.
        let opener: KeyID
        /// The enrolment code that was used up for it.
        let code: EnrolmentCode?
    }

    struct Guess: Sendable {
        let id: PinGuessID
        let epoch: PinEpoch
        /// Identifies the guess when it is repeated.
        let request: UUID
    }

    /// The last request that cleared the count.
    struct Clearing: Hashable, Sendable {
        let guess: HardenedGuess
        let epoch: PinEpoch
        let signer: KeyID
    }

    struct Device: Sendable {
        var nextEpoch = PinEpoch.first
        var window = PinWindow.first
        var current: Epoch?
        var candidate: Candidate?
        var knowledgeKey: KeyID?
        var guesses: [Guess] = []
        /// Guesses of earlier windows that no proof has named as the device's own.
        var unexplained: [Guess] = []
        var lastClearing: Clearing?
        var exhaustedAt: Duration?
        var isCodeRequired = false

        /// All guesses that count.
        var charged: [Guess] { unexplained + guesses }

        var hasKeys: Bool { current != nil || candidate != nil }

        func live(_ number: PinEpoch) -> Epoch? {
            [current, candidate?.epoch].compactMap(\.self).first { $0.number == number }
        }

        /// Destroys all keys, and begins a new window, in which there is no key to guess with.
        mutating func destroy() {
            current = nil
            candidate = nil
            guesses = []
            unexplained = []
            exhaustedAt = nil
            window = window.next
            isCodeRequired = true
        }
    }

    /// The time for which the last guess of a window may be proved.
    static let lastGuessLife = Duration.seconds(10 * 60)

    let limit: Int
    var devices: [DeviceID: Device] = [:]
    var deviceKeys: [DeviceID: KnowledgeKey] = [:]
    var usedCodes: Set<EnrolmentCode> = []
    var now = Duration.zero
    var callCount = 0
    var chargedCount = 0
    /// The error that every request gets, if there is one.
    var answer: PinHardenerError?
    var fault: (call: Int, kind: MemoryPinHardener.Fault, isLasting: Bool)?

    init(limit: Int) {
        self.limit = limit
    }

    func standing(of device: Device) -> PinStanding {
        PinStanding(
            epoch: device.current?.number, candidate: device.candidate?.epoch.number, nextEpoch: device.nextEpoch,
            window: device.window, triesLeft: max(0, limit - device.charged.count),
            isCodeRequired: device.isCodeRequired, issuedAt: NumericDate(secondsSince1970: 0))
    }

    mutating func destroyIfDue(_ id: DeviceID) {
        guard var device = devices[id], let exhaustedAt = device.exhaustedAt, exhaustedAt + Self.lastGuessLife < now,
            device.charged.count >= limit
        else { return }
        device.destroy()
        devices[id] = device
    }

    /// Returns the error for a device that has no live epoch.
    func withoutKeys(_ device: Device) -> PinHardenerError {
        device.isCodeRequired ? .destroyed : refusal(.pinNotEnrolled, of: device)
    }

    func refusal(_ code: ProblemCode, of device: Device) -> PinHardenerError {
        .refused(
            RelyingPartyRefusal(
                code: code, status: 400, title: "refused by the hardener in memory",
                pin: code == .pinWindowPassed ? standing(of: device) : nil))
    }
}
