import Nightlatch
import NightlatchWire
import SwiftUI

/// One payment with all of its details, to confirm or reject.
struct PaymentScreen: View {
    let payment: PendingTransaction
    let decisions: Decisions
    let account: Account
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        List {
            NoticeSection(work: decisions.work, carryOut: account.carryOut)
            DetailSection(lines: payment.lines)
            if !payment.canBeShown {
                Text("This payment has a text with hidden characters. It can only be rejected.")
            }
            DecisionSection(canConfirm: payment.canBeShown, isBusy: decisions.work.isRunning) { decision in
                await decisions.decide(payment, decision)
                if !decisions.payments.contains(payment) { dismiss() }
            }
        }
        .navigationTitle("Payment")
    }
}
