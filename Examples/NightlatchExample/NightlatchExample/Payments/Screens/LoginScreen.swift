import Nightlatch
import NightlatchWire
import SwiftUI
import UIKit

/// One login elsewhere with all of its details, to confirm or reject.
struct LoginScreen: View {
    let login: PendingRemoteLogin
    let decisions: Decisions
    let account: Account
    @State private var number = ""
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        List {
            NoticeSection(work: decisions.work, carryOut: account.carryOut)
            DetailSection(lines: login.lines)
            if login.details.hasNumber {
                Section {
                    TextField("Number", text: $number).keyboardType(.numberPad)
                } footer: {
                    Text("Enter the two digits that the login page shows. If you see no such page, reject the login.")
                }
            }
            DecisionSection(canConfirm: canConfirm, isBusy: decisions.work.isRunning) { decision in
                await decisions.decide(login, decision, number: number)
                if !decisions.logins.contains(login) { dismiss() }
            }
        }
        .navigationTitle("Log in elsewhere")
    }

    private var canConfirm: Bool { !login.details.hasNumber || RemoteLoginNumber(rawValue: number) != nil }
}
