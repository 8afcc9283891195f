import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The values of a profile")
struct UserProfileTests {
    @Test(
        "An email address has one sign @, atoms before it and a domain after it",
        arguments: [
            "a@b.c", "alice@example.com", "Alice.O'Hara+news@mail.example.co.uk", "a_b=c/d?e@xn--bcher-kva.example",
            "1@1.2", String(repeating: "a", count: 64) + "@" + String(repeating: "b", count: 63) + ".example",
        ])
    func address(text: String) throws {
        #expect(EmailAddress(rawValue: text)?.rawValue == text)
    }

    @Test(
        "Any other text is no email address",
        arguments: [
            "", "@", "alice", "alice@", "@example.com", "alice@example", "a@b@example.com", "alice@.com", "alice@a..b",
            "alice@example.com.", ".a@example.com", "a.@example.com", "a..b@example.com", "a b@example.com",
            "a@exa mple.com", "a@-b.c", "a@b-.c", "a@b_c.de", "älice@example.com", "alice@exämple.com",
            "\"a\"@example.com", "a@[127.0.0.1]", "Alice <a@example.com>", "a@example.com\n", "a\u{0}@example.com",
            "a@example.com,b@example.com", String(repeating: "a", count: 65) + "@example.com",
            "a@" + String(repeating: "b", count: 64) + ".example",
            "a@" + String(repeating: "bcdefg.", count: 36) + "example",
        ])
    func noAddress(text: String) {
        #expect(EmailAddress(rawValue: text) == nil)
    }

    @Test("Telephone numbers have digits and the usual signs", arguments: ["112", "+43 1 234-56", "(01) 234.56-7"])
    func number(text: String) {
        #expect(PhoneNumber(rawValue: text)?.rawValue == text)
    }

    @Test(
        "Any other text is no telephone number",
        arguments: [
            "", "1", "12", "+43 1 ", " 112", "112a", "1+;ext=2", "tel:112", "１１２", "112\n", "-112",
            String(repeating: "1", count: 33),
        ])
    func noNumber(text: String) {
        #expect(PhoneNumber(rawValue: text) == nil)
    }

    @Test("Names have a length and no character that hides something")
    func names() {
        #expect(PersonName(rawValue: String(repeating: "ä", count: 140)) != nil)
        for text in ["", " ", String(repeating: "a", count: 141), "Alice\n", "Ali\u{202E}ce", "a\u{0}"] {
            #expect(PersonName(rawValue: text) == nil)
        }
    }

    @Test("The JSON of a profile has the names of claims, and reads back as the same profile")
    func json() throws {
        let full = try TestProfile.full()
        let text = String(decoding: StrictJSON.encode(full), as: UTF8.self)
        #expect(
            text
                == #"{"email":"alice@example.com","email_verified":true,"family_name":"Ó Example","given_name":"Alice","#
                + #""name":"Alice Ó Example","phone_number":"+43 1 234-56"}"#)
        #expect(try StrictJSON.decode(UserProfile.self, from: Array(text.utf8)) == full)
        #expect(try StrictJSON.decode(UserProfile.self, from: Array("{}".utf8)) == UserProfile())
        let unverified = try StrictJSON.decode(UserProfile.self, from: Array(#"{"email":"a@b.c","x":1}"#.utf8))
        #expect(unverified.email == .init(try #require(EmailAddress(rawValue: "a@b.c")), isVerified: false))
    }

    @Test(
        "A member with an invalid value is refused, and the reason names it",
        arguments: [
            (#"{"email":"alice"}"#, "email"), (#"{"email":["a@b.c"]}"#, "email"), (#"{"name":""}"#, "name"),
            (#"{"given_name":"a\u0000"}"#, "given_name"), (#"{"family_name":7}"#, "family_name"),
            (#"{"phone_number":"112x"}"#, "phone_number"), (#"{"email_verified":"true"}"#, "email_verified"),
            (#"{"email_verified":true}"#, "email_verified"),
            (#"{"email":null,"email_verified":true}"#, "email_verified"),
        ])
    func refused(json: String, member: String) throws {
        let fault = try #require(throws: MessageFault.self) {
            try StrictJSON.read(UserProfile.self, from: Array(json.utf8))
        }
        #expect(fault.member == member)
    }
}
