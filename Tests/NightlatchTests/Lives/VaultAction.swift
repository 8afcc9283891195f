import NightlatchTesting

/// An event of a vault or of the device.
enum VaultAction {
    case create(String)
    case unlock(String)
    /// With an app that requests more iterations.
    case unlockStronger(String)
    case changePin(String, to: String)
    case unlockWithBiometrics
    case recover(String, newPin: String, hasCredentials: Bool)
    case giveUp, erase, state
    // With the vault that was opened last.
    case set(String, String)
    case remove(String)
    case setUpBiometrics, removeBiometrics
    case setUpRecovery(String)
    case removeRecovery
    case setPin(String)
    // Without the vault.
    case changeEnrolment
    case pass(seconds: Int)
    case boot(uptimeSeconds: Int)

    static let pins = [TestPin.right, TestPin.wrong, TestPin.new, TestPin.newest]
    static let phrases = [TestPhrase.right, TestPhrase.wrong]

    /// Whether the action tests a PIN, so that a crash may leave a charged attempt.
    var triesPin: Bool {
        switch self {
        case .unlock, .unlockStronger: true
        case .changePin(let old, let new): old != new
        default: false
        }
    }

    /// Whether the action calls the store.
    var usesStore: Bool {
        switch self {
        case .changeEnrolment, .pass, .boot: false
        case .changePin(let old, let new): old != new
        default: true
        }
    }

    /// - Parameter model: The model, so that actions succeed often enough to reach many states.
    static func random(_ model: VaultModel, using generator: inout SeededGenerator) -> VaultAction {
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }
        guard model.exists || Int.random(in: 0..<4, using: &generator) == 0 else { return .create(pick(pins)) }
        let likelyPin = Int.random(in: 0..<3, using: &generator) > 0 ? model.pin ?? pick(pins) : pick(pins)
        let likelyPhrase = Int.random(in: 0..<4, using: &generator) > 0 ? model.phrase ?? phrases[0] : pick(phrases)
        let name = pick(["token", "seed", "key"])
        return switch Int.random(in: 0..<100, using: &generator) {
        case 0..<2: .create(pick(pins))
        case 2..<20: .unlock(likelyPin)
        case 20..<25: .unlockStronger(likelyPin)
        case 25..<35: .changePin(likelyPin, to: pick(pins))
        case 35..<40: .unlockWithBiometrics
        case 40..<46:
            .recover(likelyPhrase, newPin: pick(pins), hasCredentials: Bool.random(using: &generator))
        case 46..<48: .giveUp
        case 48: .erase
        case 49..<55: .state
        case 55..<63: .set(name, "\(Int.random(in: 0..<1000, using: &generator))")
        case 63..<66: .remove(name)
        case 66..<71: .setUpBiometrics
        case 71..<73: .removeBiometrics
        case 73..<78: .setUpRecovery(pick(phrases))
        case 78..<80: .removeRecovery
        case 80..<84: .setPin(pick(pins))
        case 84..<86: .changeEnrolment
        case 86..<95: .pass(seconds: Int.random(in: 0...120, using: &generator))
        default: .boot(uptimeSeconds: Int.random(in: 0...90, using: &generator))
        }
    }
}
