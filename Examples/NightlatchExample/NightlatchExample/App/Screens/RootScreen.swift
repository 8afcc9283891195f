import Nightlatch
import NightlatchWire
import SwiftUI

struct RootScreen: View {
    let bank: Bank?

    var body: some View {
        if let bank {
            screen(of: bank)
        } else {
            ContentUnavailableView(
                "No server", systemImage: "network.slash",
                description: Text("NightlatchIssuer in Info.plist is not the address of a server."))
        }
    }

    @ViewBuilder
    private func screen(of bank: Bank) -> some View {
        switch bank.stage {
        case .starting:
            ProgressView("Starting").task { await bank.start() }
        case .broken(let notice):
            ContentUnavailableView {
                Label("Night Bank cannot start", systemImage: "exclamationmark.triangle")
            } description: {
                Text(verbatim: notice.text)
            } actions: {
                Button("Try again") { Task { await bank.start() } }.buttonStyle(.borderedProminent)
            }
        case .unregistered:
            WelcomeScreen(in: bank)
        case .registered(let profile):
            LockScreen(profile, in: bank).id(profile.id)
        }
    }
}
