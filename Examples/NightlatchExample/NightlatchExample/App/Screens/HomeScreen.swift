import Nightlatch
import NightlatchUI
import SwiftUI

/// The screen behind the lock. It exists only while the vault is open, and so does its account.
struct HomeScreen: View {
    let profile: Profile
    let bank: Bank
    let lock: ScreenLock
    @State private var account: Account?

    var body: some View {
        ZStack {
            if let account { AccountScreen(account: account) }
        }
        .onAppear {
            guard account == nil, let vault = lock.vault else { return }
            let account = Account(profile, in: bank, vault: vault, lock: lock)
            account.report(lock.events)
            self.account = account
        }
        .onDisappear { account?.leave() }
    }
}

struct AccountScreen: View {
    @Bindable var account: Account

    var body: some View {
        TabView {
            DecisionsScreen(of: account).tabItem { Label("Payments", systemImage: "creditcard") }
            SecretsScreen(of: account).tabItem { Label("Secrets", systemImage: "key") }
            SecurityScreen(of: account).tabItem { Label("Security", systemImage: "lock.shield") }
        }
        // The pad's own key cancels a question.
        .sheet(isPresented: .constant(account.pad.isShown)) {
            PinPadView(account.pad).privacyCover().interactiveDismissDisabled()
        }
        .sheet(isPresented: $account.needsNewCode) { NewBindingScreen(of: account).privacyCover() }
    }
}
