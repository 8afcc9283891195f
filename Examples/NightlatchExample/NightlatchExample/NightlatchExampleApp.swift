import SwiftUI

/// A small bank: register with an enrolment code, log in, change the PIN, confirm payments. Run `nightlatch serve` too.
@main
struct NightlatchExampleApp: App {
    @State private var bank = Bank()

    var body: some Scene {
        WindowGroup {
            VStack {
                if let problem = bank.problem { Text(verbatim: problem) }
                if bank.offersNewCode {
                    Button("Start again with a new code", role: .destructive) { Task { await bank.startAgain() } }
                }
                if let profile = bank.profile { LockedView(profile, in: bank) } else { WelcomeView(bank: bank) }
            }
            .task { await bank.start() }
        }
    }
}
