import NightlatchUI

/// The user's actions on the page. The set is closed, so the page can send nothing else.
enum PageEvent: Hashable, CaseIterable {
    case press(PinPadKey)
    /// The user answers the fingerprint sensor.
    case touch(DemoSensor.Answer)
    case enrolFinger
    case askForPayment
    case blockPhone, revokePhone, registerShop
    case setUp, unlock, lock, logIn, bindAgain, showRequests, scan, changePin, switchBiometrics, switchShuffling
    case confirm, reject, later, done, startOver, replacePin
    /// The user signs in. The message of this event has the password as its text.
    case signIn
    /// The user types the number that a login page shows.
    case typeNumber(PinDigit)
    case deleteNumber

    static let allCases: [PageEvent] =
        PinPadKey.all.map(PageEvent.press) + DemoSensor.Answer.allCases.map(PageEvent.touch)
        + PinDigit.allCases.map(PageEvent.typeNumber)
        + [
            .enrolFinger, .askForPayment, .blockPhone, .revokePhone, .registerShop, .setUp, .unlock, .lock, .logIn,
            .bindAgain,
            .showRequests, .scan, .changePin, .switchBiometrics, .switchShuffling, .confirm, .reject, .later, .done,
            .startOver, .replacePin, .signIn, .deleteNumber,
        ]

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Creates the event with this name; nil if the name is unknown.
    init?(name: String) {
        guard let event = Self.byName[name] else { return nil }
        self = event
    }

    /// The name on the page.
    var name: String {
        switch self {
        case .press(let key): key.name
        case .touch(let answer): answer.rawValue
        case .enrolFinger: "enrol-finger"
        case .askForPayment: "ask-for-payment"
        case .blockPhone: "block-phone"
        case .revokePhone: "revoke-phone"
        case .registerShop: "register-shop"
        case .setUp: "set-up"
        case .unlock: "unlock"
        case .lock: "lock"
        case .logIn: "log-in"
        case .bindAgain: "bind-again"
        case .showRequests: "show-requests"
        case .scan: "scan"
        case .changePin: "change-pin"
        case .switchBiometrics: "switch-biometrics"
        case .switchShuffling: "switch-shuffling"
        case .confirm: "confirm"
        case .reject: "reject"
        case .later: "later"
        case .done: "done"
        case .startOver: "start-over"
        case .replacePin: "replace-pin"
        case .signIn: "sign-in"
        case .typeNumber(let digit): "number-\(digit.rawValue)"
        case .deleteNumber: "number-delete"
        }
    }
}

/// The body of a request with an event.
struct PageEventMessage: Decodable {
    let event: String
    /// The text that the user typed.
    let text: String?
}

extension PinPadKey {
    static let all: [PinPadKey] =
        PinDigit.allCases.map(PinPadKey.digit) + [.delete, .submit, .biometrics, .cancel, .forgotten, .giveUp]

    /// The name on the page.
    var name: String {
        switch self {
        case .digit(let digit): "digit-\(digit.rawValue)"
        case .delete: "delete"
        case .submit: "submit"
        case .biometrics: "biometrics"
        case .cancel: "cancel"
        case .forgotten: "forgotten"
        case .giveUp: "give-up"
        }
    }
}
