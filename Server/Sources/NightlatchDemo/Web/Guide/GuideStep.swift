/// A step of the tour that the page suggests.
enum GuideStep: Hashable, CaseIterable, Sendable {
    case setUp, logIn, decide, logInAtShop, mistype, useFinger, replacePin, revoke

    var title: String {
        switch self {
        case .setUp: "Set up the phone"
        case .logIn: "Log in"
        case .decide: "Decide a payment"
        case .logInAtShop: "Log in at a shop"
        case .mistype: "Mistype the PIN"
        case .useFinger: "Use a finger"
        case .replacePin: "Lose the PIN"
        case .revoke: "Revoke the phone"
        }
    }

    var text: String {
        switch self {
        case .setUp: "Choose a PIN. Try 123456 first: it is refused, with the reason."
        case .logIn: "The phone’s key answers a challenge of the server. The PIN never leaves the phone."
        case .decide: "The app’s backend asks for a payment. The phone shows amount and payee, and signs your decision."
        case .logInAtShop:
            "An operator registers a web shop. Log in there: the phone shows the login, and asks for the number."
        case .mistype: "Lock the phone, and enter a wrong PIN three times. Then there is a wait."
        case .useFinger: "Turn the finger on, lock the phone, and touch the sensor as Alice."
        case .replacePin:
            "Lock the phone, choose “Use the PIN”, then “Forgotten?”. The finger still opens it. Sign in, and choose a "
                + "new PIN."
        case .revoke: "An operator revokes the phone. The phone shows it at once, and can be bound again."
        }
    }
}
