import SwiftUI

/// Night Bank: register with an enrolment code, unlock, keep secrets, decide payments and logins in a browser.
@main
struct NightlatchExampleApp: App {
    @State private var bank = Bank.onThisDevice()

    var body: some Scene {
        WindowGroup { RootScreen(bank: bank) }
    }
}
