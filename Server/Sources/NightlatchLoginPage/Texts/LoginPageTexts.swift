import NightlatchRelyingParty

/// The texts of the page in one language.
struct LoginPageTexts: Sendable {
    /// The language's tag, for `lang`.
    let language: String
    let title: @Sendable (_ app: String) -> String
    let scanHeading: String
    let scan: String
    let codeLabel: String
    /// The link for users whose browser is on the phone.
    let onThisPhone: String
    let number: String
    let numberHint: String
    /// The warning not to enter a number that another person gave the user.
    let numberWarning: String
    let nameHeading: String
    let nameLabel: String
    let nameHint: String
    let nameRefused: String
    let ask: String
    let waitingHeading: String
    let waitingSteps: [String]
    let troubleHeading: String
    let trouble: String
    /// The texts of the live region: while the page waits, and when its state has changed.
    let waiting: String
    let goingOn: String
    /// The link of browsers without scripts.
    let reload: String
    let again: String
    let back: @Sendable (_ app: String) -> String
    let ended: @Sendable (LoginPage.End) -> Message
    /// The page for users who opened the content of the QR code in a browser.
    let scanned: Message
    /// The page belongs to another browser, or is too old.
    let unknown: Message
    let busy: Message
    let refused: Message
    /// The pages that lead to the app, after a login and without one.
    let confirmed: Message
    let cancelled: Message
    let toApp: String

    struct Message: Sendable {
        let heading: String
        let sentence: String
    }
}

extension LoginPageTexts {
    /// The texts in the language that the client likes best.
    init(for languages: AcceptedLanguages) {
        self = languages.best { tag in Self.all.first { $0.language == tag } } ?? .english
    }

    static let all = [english, german, french]
}
