import Nightlatch
import NightlatchUI
import NightlatchWire

/// The screens of a login in a browser.
extension PhoneView.App {
    static func login(_ login: PendingRemoteLogin, isBusy: Bool) -> Self {
        let details = login.details
        var app = Self(name: "login", title: "Log in to \(details.app)?")
        app.text = "Confirm only if you opened the login page yourself."
        app.facts = [
            .init(label: "App", value: "\(details.app) (\(details.client))"),
            .init(label: "Place", value: details.place?.rawValue ?? "unknown"),
            .init(label: "Requested", value: ExchangeReading.time(details.requestedAt) + " UTC"),
            .init(label: "Valid until", value: ExchangeReading.time(details.expiresAt) + " UTC"),
        ]
        if let message = details.message { app.facts.append(.init(label: "Message", value: message.rawValue)) }
        app.actions = [
            .init(.confirm, "Confirm", .primary, isEnabled: !isBusy),
            .init(.reject, "Reject", .grave, isEnabled: !isBusy), .init(.later, "Later", isEnabled: !isBusy),
        ]
        return app
    }

    static func number(_ typed: String, for login: PendingRemoteLogin, isBusy: Bool) -> Self {
        var app = Self(name: "number", title: "Enter the number")
        app.text = "The login page of \(login.details.app) shows it."
        let digits = PinDigit.allCases.sorted { ($0.rawValue + 9) % 10 < ($1.rawValue + 9) % 10 }
        app.number = .init(
            typed: typed,
            keys: digits.map {
                PhoneView.Action(.typeNumber($0), "\($0.rawValue)", isEnabled: !isBusy && typed.count < 2)
            } + [
                PhoneView.Action(.deleteNumber, "Delete", isEnabled: !isBusy && !typed.isEmpty)
            ])
        app.actions = [
            .init(.confirm, "Continue", .primary, isEnabled: !isBusy && typed.count == 2),
            .init(.later, "Back", isEnabled: !isBusy),
        ]
        return app
    }

    static func end(_ end: DemoPhone.LoginEnd) -> Self {
        var app: Self
        switch end {
        case .confirmed(let name):
            app = Self(name: "login-confirmed", title: "Login confirmed")
            app.text = "The login page goes on to \(name). This phone’s key signed app, place, time and number."
        case .rejected(let name):
            app = Self(name: "login-refused", title: "Login rejected")
            app.text = "The browser was not logged in to \(name). The rejection is signed by this phone’s key."
        case .numberWrong:
            app = Self(name: "login-refused", title: "Wrong number")
            app.text =
                "The login has ended, and the browser was not logged in. Try again at the login page. If you did not "
                + "open one, another person did."
        case .ended:
            app = Self(name: "login-refused", title: "Too late")
            app.text = "This login had already ended. Begin again at the login page."
        }
        app.actions = [.init(.done, "Done", .primary)]
        return app
    }
}
