import Nightlatch
import NightlatchUI
import NightlatchWire
import Testing

@Suite("Screen reader announcements of payments")
struct PaymentAnnouncementTests {
    private func payment(_ amount: MoneyAmount, to payee: Payee) throws -> PendingTransaction {
        PendingTransaction(
            TransactionNotice(
                id: .random(),
                details: try TransactionDetails(
                    amount: amount, currency: "EUR", payee: payee,
                    expiresAt: NumericDate(secondsSince1970: 2_000_000_600))))
    }

    private func said(_ old: [PendingTransaction], _ new: [PendingTransaction]) -> String? {
        PaymentAnnouncement(from: old, to: new, in: .english)?.text
    }

    @Test("One new payment is spoken with amount and payee, several with their number, and no other change")
    func new() throws {
        let train = try payment("129.90", to: "Night Train Ltd")
        let (bakery, hotel) = (try payment("4.20", to: "Bakery"), try payment("80", to: "Hotel"))
        #expect(said([], [train]) == "New payment to confirm: 129.90 EUR to Night Train Ltd.")
        #expect(said([train], [bakery, train]) == "New payment to confirm: 4.20 EUR to Bakery.")
        #expect(said([train], [train, bakery, hotel]) == "2 new payments to confirm.")
        #expect(said([train], [train]) == nil)
        #expect(said([train, bakery], [bakery, train]) == nil)
        #expect(said([train, bakery], [bakery]) == nil)
        #expect(said([], []) == nil)
    }

    @Test("A payment whose details cannot be shown is spoken without them")
    func hidden() throws {
        let payments = [try payment("1", to: Payee(unchecked: "A\u{200B}"))]
        #expect(payments.map(\.canBeShown) == [false])
        #expect(said([], payments) == "1 new payment to confirm.")
    }

    @Test("The announcement is in the app's language")
    func languages() throws {
        let payments = [try payment("129.90", to: "Night Train Ltd")]
        let texts = PinPadStrings.all.compactMap { PaymentAnnouncement(from: [], to: payments, in: $0)?.text }
        #expect(
            texts == [
                "New payment to confirm: 129.90 EUR to Night Train Ltd.",
                "Neue Zahlung zu bestätigen: 129.90 EUR an Night Train Ltd.",
                "Nouveau paiement à confirmer\u{A0}: 129.90 EUR à Night Train Ltd.",
            ])
    }
}
