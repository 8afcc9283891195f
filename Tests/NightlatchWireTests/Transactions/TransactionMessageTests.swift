import Foundation
import NightlatchWire
import Testing

@Suite("Messages about transactions")
struct TransactionMessageTests {
    private let transaction = "00112233445566778899aabbccddeeff"
    private let first = "0123456789abcdef0123456789abcdef"
    private let second = "1123456789abcdef0123456789abcdef"
    private let details = #"{"amount":"7","currency":"EUR","expires_at":1800000600,"lines":[],"payee":"x"}"#

    private func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try StrictJSON.decode(type, from: Data(json.utf8))
    }

    @Test("Messages about transactions have exactly the documented names")
    func names() throws {
        let details: TransactionDetails = try read(details)
        let id = try #require(TransactionID(rawValue: transaction))
        let user = try #require(UserID(rawValue: "anna"))
        let device = try #require(DeviceID(rawValue: first))
        try expectSame(
            TransactionRequest(id: id, user: user, devices: .allDevices, details: details),
            #"{"details":\#(self.details),"devices":"all","id":"\#(transaction)","user":"anna"}"#)
        let key: PublicJWK = try read(
            #"{"crv":"P-256","kty":"EC","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#
        )
        try expectSame(
            TransactionReport(
                id: id, user: user, devices: .devices([device]), details: details, state: .confirmed,
                createdAt: NumericDate(secondsSince1970: 1), endedAt: NumericDate(secondsSince1970: 2),
                proof: DecisionProof(device: device, key: key, message: "a.b.c")),
            """
            {"created_at":1,"details":\(self.details),"devices":["\(first)"],"ended_at":2,"id":"\(transaction)","proof":\
            {"device":"\(first)","key":\(String(decoding: StrictJSON.encode(key), as: UTF8.self)),"message":"a.b.c"},\
            "state":"confirmed","user":"anna"}
            """)
        try expectSame(
            TransactionNoticeList(transactions: [TransactionNotice(id: id, details: details)]),
            #"{"transactions":[{"details":\#(self.details),"id":"\#(transaction)"}]}"#)
        try expectSame(DecisionRequest(transaction: id), #"{"transaction":"\#(transaction)"}"#)
        try expectSame(
            DecisionResult(transaction: id, state: .rejected),
            #"{"state":"rejected","transaction":"\#(transaction)"}"#)
    }

    @Test(
        "A list keeps and marks texts that an earlier server accepted; a direction override stays malformed",
        arguments: [("x", true), ("a\u{200B}b", false), ("a\u{FEFF}", false), ("a\u{202E}b", nil), ("a\\nb", nil)])
    func hiddenCharacters(text: String, canBeShown: Bool?) throws {
        let line = #"{"label":"L","value":"\#(text)"}"#
        for details in [
            details.replacing(#""payee":"x""#, with: #""payee":"\#(text)""#),
            details.replacing(#""lines":[]"#, with: #""lines":[\#(line)]"#),
            details.replacing(#""lines":[]"#, with: #""lines":[{"label":"\#(text)","value":"V"}]"#),
        ] {
            let json =
                #"{"transactions":[{"details":\#(details),"id":"\#(transaction)"},"#
                + #"{"details":\#(self.details),"id":"\#(transaction)"}]}"#
            guard let canBeShown else {
                #expect(throws: StrictJSONError.self) { try read(json, as: TransactionNoticeList.self) }
                continue
            }
            let list: TransactionNoticeList = try read(json)
            #expect(list.transactions.map(\.details.canBeShown) == [canBeShown, true])
            #expect(StrictJSON.encode(list) == Data(json.utf8))
            // A backend's request is refused, as before.
            let asked = #"{"details":\#(details),"devices":"all","id":"\#(transaction)","user":"anna"}"#
            if canBeShown {
                let _: TransactionRequest = try read(asked)
            } else {
                #expect(throws: StrictJSONError.self) { try read(asked, as: TransactionRequest.self) }
            }
        }
    }

    @Test("Devices are named in one order, at least one, and none twice")
    func addressees() throws {
        let both = try TransactionAddressees.devices([
            #require(DeviceID(rawValue: first)), #require(DeviceID(rawValue: second)),
        ])
        try expectSame(both, #"["\#(first)","\#(second)"]"#)
        #expect(try read(#"["\#(second)","\#(first)"]"#) == both)
        for json in [
            "[]", "null", #""none""#, #""All""#, "1", "{}", #"["all"]"#, #"["\#(first)","\#(first)"]"#,
            #"["\#(first)",1]"#,
            "[" + (0..<17).map { _ in "\"\(DeviceID.random().rawValue)\"" }.joined(separator: ",") + "]",
        ] {
            #expect(throws: StrictJSONError.self, "\(json)") { try read(json, as: TransactionAddressees.self) }
        }
    }

    @Test("The largest possible lists can be read")
    func largestLists() throws {
        let line = try TransactionDetails.Line(
            label: LineLabel(validating: "a"), value: LineValue(validating: String(repeating: "\"", count: 110)))
        let details = try TransactionDetails(
            amount: MoneyAmount(validating: "7"), currency: CurrencyCode(validating: "EUR"),
            payee: Payee(validating: "x"), lines: .init(repeating: line, count: 8),
            expiresAt: NumericDate(secondsSince1970: 1_800_000_600))
        // This includes a reserve of more than ten per cent for the details.
        #expect(details.canonicalBytes.count > 1800)
        let user = try #require(UserID(rawValue: String(repeating: "u", count: 128)))
        let devices = Set((0..<16).map { _ in DeviceID.random() })
        let report = TransactionReport(
            id: .random(), user: user, devices: .devices(devices), details: details, state: .confirmed,
            createdAt: NumericDate(secondsSince1970: 1_800_000_000),
            endedAt: NumericDate(secondsSince1970: 1_800_000_000),
            proof: nil)
        let list = StrictJSON.encode(TransactionReportList(transactions: .init(repeating: report, count: 20)))
        #expect(list.count + 20 * (2048 - details.canonicalBytes.count) <= JSONLimits.message.byteCount)
    }
}
