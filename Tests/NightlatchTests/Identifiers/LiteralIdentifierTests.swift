import Nightlatch
import NightlatchWire
import Testing

@Suite("Identifiers that are written in a program, and those from other text")
struct LiteralIdentifierTests {
    @Test("A value that an app writes is a literal")
    func literals() {
        let (amount, currency, payee): (MoneyAmount, CurrencyCode, Payee) = ("129.90", "EUR", "Bäckerei <Nacht> 🥐")
        #expect([amount.rawValue, currency.rawValue, payee.rawValue] == ["129.90", "EUR", "Bäckerei <Nacht> 🥐"])
        let line = TransactionDetails.Line(label: "Reference", value: "Berth 7")
        #expect(line.label.rawValue == "Reference" && line.value.rawValue == "Berth 7")
        let (issuer, client, user): (Issuer, ClientID, UserID) = ("https://id.example.com", "bank", "auth0|5f7c8e")
        #expect(
            [issuer.rawValue, client.rawValue, user.rawValue] == ["https://id.example.com", "bank", "auth0|5f7c8e"])
        let (profile, secret, key): (ProfileName, SecretName, WalletKeyName) = ("Alice", "wallet-seed", "main")
        #expect([profile.rawValue, secret.rawValue, key.rawValue] == ["Alice", "wallet-seed", "main"])
        let (device, app, message): (DeviceName, AppName, RemoteLoginMessage) = ("A", "Bank", "Desk 4")
        #expect([device.rawValue, app.rawValue, message.rawValue] == ["A", "Bank", "Desk 4"])
    }

    @Test("A wrong literal ends the program with a message that states the grammar")
    func wrongLiteral() async {
        await #expect(processExitsWith: .failure) {
            let payee: Payee = ""
            print(payee)
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let amount: MoneyAmount = "129,90"
            print(amount)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("\"129,90\": not a \(MoneyAmountRule.name), which must be \(MoneyAmountRule.requirement)"))
        await #expect(processExitsWith: .success) {
            let amount: MoneyAmount = "129.90"
            print(amount)
        }
    }

    @Test("Text that is not of a kind is refused with the kind and its grammar, and without the text")
    func refused() throws {
        #expect(try Payee(validating: "Night Train Ltd") == "Night Train Ltd")
        let currency = #expect(throws: IdentifierError.self) { try CurrencyCode(validating: "euro") }
        #expect(currency.map { "\($0)" } == "not a currency, which must be the three capital letters of ISO 4217")
        let issuer = #expect(throws: IdentifierError.self) { try Issuer(validating: "http://example.com") }
        #expect(issuer?.kind == "issuer" && issuer?.requirement.contains("https") == true)
        let secret = #expect(throws: IdentifierError.self) { try Password(validating: "a\u{0}b") }
        #expect(secret.map { "\($0)".contains("a\u{0}b") } == false)
        for text in ["", String(repeating: "x", count: 141), "A\u{200B}"] {
            let error = #expect(throws: IdentifierError.self) { try Payee(validating: text) }
            #expect(error?.requirement.contains("1 to 140 characters") == true)
        }
    }
}
