import Foundation
import NightlatchWire
import Testing

@Suite("Faults of messages")
struct MessageFaultTests {
    private static let details =
        #"{"amount":"129.90","currency":"EUR","payee":"Shop","lines":[{"label":"a","value":"b"}],"expires_at":1700000000}"#
    private static let request =
        #"{"id":"0123456789abcdef0123456789abcdef","user":"anna","devices":"all","details":"# + details + "}"

    private func fault(_ text: String) -> MessageFault? {
        do {
            _ = try StrictJSON.read(TransactionRequest.self, from: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A fault names the member and its rule",
        arguments: [
            (#""129.90""#, "129.90", "details.amount must be a string: a decimal number such as 129.90, with up to 15"),
            (
                #""129.90""#, #""129,90""#,
                "details.amount must be a string: a decimal number such as 129.90, with up to 15"
            ),
            ("1700000000", "1700000000000", "details.expires_at must be whole seconds since 1970, not milliseconds"),
            ("1700000000", #""2023-11-14""#, "details.expires_at must be whole seconds since 1970, not milliseconds"),
            (#""EUR""#, #""eur""#, "details.currency must be a string: the three capital letters of ISO 4217."),
            (#""anna""#, #"" anna""#, "user must be a string: 1 to 128 printable characters"),
            (#""user":"anna","#, "", "user is missing."),
            (#""user":"anna""#, #""user":null"#, "user must be a string: 1 to 128 printable characters"),
            (#""label":"a""#, #""label":7"#, "details.lines[0].label must be a string: 1 to 40 characters"),
            (#""label":"a""#, #""label":"a\u202e""#, "details.lines[0].label must be a string: 1 to 40 characters"),
            (#""all""#, #""some""#, #"devices must be "all", or an array of 1 to 16 device ids, without duplicates."#),
            (#""all""#, "[]", #"devices must be "all", or an array of 1 to 16 device ids, without duplicates."#),
            (#""all""#, #"["x"]"#, "devices[0] must be a string: 32 hexadecimal digits with small letters."),
            (#""payee""#, #""tip":"1","payee""#, "details.tip is an unknown member."),
            (
                #""payee""#, #""\u202etip":"1","payee""#,
                "details.(name hidden) is an unknown member."
            ),
            (#"{"amount""#, #"7,"x":{"amount""#, "details must be an object."),
            (#"[{"label":"a","value":"b"}]"#, "{}", "details.lines must be an array."),
            (#""devices""#, #""user":"bert","devices""#, "The message has the member user more than once."),
        ])
    func member(old: String, new: String, detail: String) throws {
        #expect(fault(Self.request) == nil)
        let text = Self.request.replacing(old, with: new)
        #expect(text != Self.request)
        let found = try #require(fault(text)).description
        #expect(found.hasPrefix(detail), "\(found)")
    }

    @Test("A fault describes a malformed message")
    func noMessage() {
        #expect(fault("[]")?.description == "The message must be an object.")
        #expect(fault("")?.description == "The message is not JSON at byte 0.")
        #expect(fault(#"{"id":}"#)?.description == "The message is not JSON at byte 6.")
        #expect(
            fault(String(repeating: " ", count: 70_000))?.description == "The message is too large.")
        #expect(
            fault(String(repeating: "[", count: 9))?.description
                == "The message is nested too deeply.")
    }

    @Test("A fault contains nothing of a value")
    func secrecy() throws {
        for value in [#""\u0007secret""#, #"["secret"]"#, "7"] {
            let text = #"{"user":"anna","password":"# + value + "}"
            let fault = #expect(throws: MessageFault.self) {
                try StrictJSON.read(Credentials.self, from: Array(text.utf8))
            }
            let detail = try #require(fault).description
            #expect(detail == "password must be a string: 1 to 256 bytes of UTF-8 without control characters.")
        }
        let decision = Array(#"{"state":"secret"}"#.utf8)
        let fault = #expect(throws: MessageFault.self) {
            try StrictJSON.read([String: TransactionState].self, from: decision)
        }
        #expect(fault?.description == "state has a value that is not allowed.")
    }
}
