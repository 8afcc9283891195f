import Foundation
import NightlatchWire
import Testing

@Suite("Messages about a two-party PIN")
struct PinMessageTests {
    private let date = NumericDate(secondsSince1970: 1_700_000_000)
    private let guessText = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
    private let pointText: String
    private let proofText = Base64URL.encode([UInt8](repeating: 5, count: 96))
    private let guess: PinGuessID
    private let epoch: PinEpoch
    private let window: PinWindow

    init() throws {
        pointText = Base64URL.encode([2] + [UInt8](repeating: 9, count: 48))
        guess = try #require(PinGuessID(rawValue: guessText))
        epoch = try #require(PinEpoch(rawValue: 3))
        window = try #require(PinWindow(rawValue: 7))
    }

    @Test("Each kind of message has exactly the documented claims and its own type")
    func claims() throws {
        let point: BlindedElement = try id(pointText)
        try expect(PinInquiry(), "nightlatch-pin-standing+jwt", [])
        try expect(PinOpening(epoch: epoch), "nightlatch-pin-opening+jwt", [#""epoch":3"#])
        try expect(
            PinGuess(epoch: epoch, window: window, blindedElement: point), "nightlatch-pin-guess+jwt",
            [#""blinded_element":"\#(pointText)""#, #""epoch":3"#, #""window":7"#])
        let provable = [#""epoch":3"#, #""guess":"\#(guessText)""#, #""window":7"#]
        try expect(PinProof(epoch: epoch, window: window, guess: guess), "nightlatch-pin-proof+jwt", provable)
        try expect(
            PinProof(epoch: epoch, window: window, guess: guess, own: PinGuessIDs([guess])), "nightlatch-pin-proof+jwt",
            provable + [#""own":["\#(guessText)"]"#])
        try expect(PinCandidacy(epoch: epoch, window: window, guess: guess), "nightlatch-pin-candidacy+jwt", provable)
        try expect(
            PinPromotion(epoch: epoch, window: window, guess: guess, knowledgeKey: try id(guessText)),
            "nightlatch-pin-promotion+jwt", provable + [#""knowledge_key":"\#(guessText)""#])
        try expect(PinAbandonment(epoch: epoch), "nightlatch-pin-abandonment+jwt", [#""epoch":3"#])
    }

    @Test(
        "A message with a missing or malformed claim is refused",
        arguments: [
            (#""epoch":3"#, #""epoch":0"#), (#""epoch":3"#, #""epoch":-1"#), (#""epoch":3"#, #""epoch":3.5"#),
            (#""epoch":3"#, #""epoch":"3""#), (#""epoch":3"#, #""epoch":9007199254740992"#), (#""epoch":3,"#, ""),
            (#""window":7"#, #""window":-1"#), (#""window":7"#, #""window":null"#),
            (#""window":7"#, #""window":7,"window":8"#),
            (#""device_id":"04"#, #""device_id":"0X"#), (#""iat":1700000000,"#, ""),
            (#""aud":""#, #""aud":["x"],"y":""#),
            ("AgkJ", "AAkJ"), ("AgkJ", "BAkJ"), ("AgkJ", "Ag"),
        ])
    func malformed(part: String, replacement: String) throws {
        let statement = PinGuess(epoch: epoch, window: window, blindedElement: try id(pointText))
        let whole = String(decoding: StrictJSON.encode(try message(statement)), as: UTF8.self)
        #expect(throws: Never.self) { try StrictJSON.decode(PinClaims<PinGuess>.self, from: Data(whole.utf8)) }
        let spoilt = whole.replacing(part, with: replacement, maxReplacements: 1)
        try #require(spoilt != whole)
        #expect(throws: StrictJSONError.self) {
            try StrictJSON.decode(PinClaims<PinGuess>.self, from: Data(spoilt.utf8))
        }
    }

    @Test("Requests have exactly the documented names")
    func requests() throws {
        let code = EnrolmentCode.random()
        try expectSame(PinRequest(message: "a.b.c"), #"{"message":"a.b.c"}"#)
        try expectSame(PinOpeningRequest(message: "a.b.c"), #"{"message":"a.b.c"}"#)
        try expectSame(
            PinOpeningRequest(message: "a.b.c", enrolmentCode: code),
            #"{"enrolment_code":"\#(code.groupedText)","message":"a.b.c"}"#)
        try expectSame(
            PinPromotionRequest(message: "a.b.c", knowledgeKeyMessage: "d.e.f"),
            #"{"knowledge_key_message":"d.e.f","message":"a.b.c"}"#)
    }

    @Test("Answers have exactly the documented names")
    func answers() throws {
        try expectSame(standing, standingText)
        try expectSame(
            PinEpochOffer(epoch: epoch, publicKey: try id(pointText), window: window, issuedAt: date),
            #"{"epoch":3,"issued_at":1700000000,"public_key":"\#(pointText)","window":7}"#)
        let charged = try #require(PinGuessIDs([guess]))
        try expectSame(
            PinEvaluation(
                epoch: epoch, window: window, guess: guess, evaluatedElement: try id(pointText),
                proof: try id(proofText), charged: charged, triesLeft: 9, issuedAt: date),
            """
            {"charged":["\(guessText)"],"epoch":3,"evaluated_element":"\(pointText)","guess":"\(guessText)",\
            "issued_at":1700000000,"proof":"\(proofText)","tries_left":9,"window":7}
            """)
        try expectSame(
            PinEvaluation(
                epoch: epoch, window: window, guess: guess, evaluatedElement: try id(pointText),
                proof: try id(proofText), charged: charged, triesLeft: 9, wait: PinWait(seconds: 60),
                issuedAt: date),
            """
            {"charged":["\(guessText)"],"epoch":3,"evaluated_element":"\(pointText)","guess":"\(guessText)",\
            "issued_at":1700000000,"proof":"\(proofText)","tries_left":9,"wait_seconds":60,"window":7}
            """)
        try expectSame(
            PinClearing(epoch: epoch, window: window, cleared: charged, issuedAt: date),
            #"{"cleared":["\#(guessText)"],"epoch":3,"issued_at":1700000000,"window":7}"#)
    }

    @Test("A list has at most a hundred guesses")
    func guessLimit() throws {
        #expect(PinGuessIDs([PinGuessID](repeating: guess, count: 101)) == nil)
        let hundred = "[" + [String](repeating: "\"\(guessText)\"", count: 100).joined(separator: ",") + "]"
        #expect(try StrictJSON.decode(PinGuessIDs.self, from: Data(hundred.utf8)).ids.count == 100)
        let more = hundred.dropLast() + ",\"\(guessText)\"]"
        #expect(throws: StrictJSONError.self) { try StrictJSON.decode(PinGuessIDs.self, from: Data(more.utf8)) }
    }

    @Test("A standing has from none to a hundred guesses left", arguments: ["-1", "101", "1.5", "null", #""9""#])
    func triesLeft(text: String) {
        let spoilt = standingText.replacing(#""tries_left":10"#, with: #""tries_left":\#(text)"#)
        #expect(throws: StrictJSONError.self) { try StrictJSON.decode(PinStanding.self, from: Data(spoilt.utf8)) }
    }

    @Test("A standing has a wait from a second to a day, or none")
    func wait() throws {
        for seconds in [1, 60, PinWait.longestSeconds] {
            let text = standingText.replacing(#","window""#, with: #","wait_seconds":\#(seconds),"window""#)
            let waiting = PinStanding(
                epoch: epoch, candidate: nil, nextEpoch: epoch.next, window: window, triesLeft: 10,
                isCodeRequired: true, wait: PinWait(seconds: seconds), issuedAt: date)
            try expectSame(waiting, text)
            #expect(waiting.wait?.duration == .seconds(seconds))
        }
        #expect(try StrictJSON.decode(PinStanding.self, from: Data(standingText.utf8)).wait == nil)
        for text in ["0", "-1", "86401", "1.5", #""60""#] {
            let spoilt = standingText.replacing(#","window""#, with: #","wait_seconds":\#(text),"window""#)
            #expect(throws: StrictJSONError.self) { try StrictJSON.decode(PinStanding.self, from: Data(spoilt.utf8)) }
        }
    }

    @Test("If the device's view is outdated, the refusal contains the standing")
    func problem() throws {
        try expectSame(
            Problem(.pinWindowPassed, status: 409, title: "Another window.", pin: standing),
            """
            {"code":"pin_window_passed","pin":\(standingText),"status":409,"title":"Another window.",\
            "type":"urn:nightlatch:problem:pin_window_passed"}
            """)
    }

    @Test("If a message is not valid at this time, the refusal contains the time and nothing else")
    func expired() throws {
        try expectSame(
            Problem(
                .messageExpired, status: 409, title: "Late.", issuedAt: NumericDate(secondsSince1970: 1_800_000_000)),
            """
            {"code":"message_expired","issued_at":1800000000,"status":409,"title":"Late.",\
            "type":"urn:nightlatch:problem:message_expired"}
            """)
    }

    @Test("Keys are derived for different purposes")
    func purposes() {
        #expect(Set(PinPurpose.allCases.map(\.rawValue)).count == PinPurpose.allCases.count)
        #expect(PinPurpose.input.rawValue == "nightlatch two-party pin input v1")
    }

    @Test("Counters begin at their first value and count up to the limit of every JSON reader")
    func counters() {
        #expect(PinEpoch.first.rawValue == 1 && PinWindow.first.rawValue == 0)
        #expect(PinEpoch(rawValue: 0) == nil && PinWindow(rawValue: -1) == nil)
        let last = (1 << 53) - 1
        #expect(PinEpoch(rawValue: last)?.rawValue == last && PinEpoch(rawValue: last + 1) == nil)
        #expect(PinWindow.first.next.rawValue == 1 && PinWindow.first < PinWindow.first.next)
        #expect(PinEpoch(rawValue: last)?.next.rawValue == last)
    }

    private var standing: PinStanding {
        PinStanding(
            epoch: epoch, candidate: nil, nextEpoch: epoch.next, window: window, triesLeft: 10, isCodeRequired: true,
            issuedAt: date)
    }

    private let standingText = """
        {"epoch":3,"is_code_required":true,"issued_at":1700000000,"next_epoch":4,"tries_left":10,"window":7}
        """

    private func message<Statement: PinStatement>(_ statement: Statement) throws -> PinClaims<Statement> {
        PinClaims(
            issuer: .default, subject: try id("anna"), audience: try id("https://a.example"),
            device: try id("04040404040404040404040404040404"), id: try id("AQEBAQEBAQEBAQEBAQEBAQ"), issuedAt: date,
            expiresAt: date + .seconds(60), statement)
    }

    private func expect(_ statement: some PinStatement, _ type: String, _ own: [String]) throws {
        let common = [
            #""aud":"https://a.example""#, #""device_id":"04040404040404040404040404040404""#, #""exp":1700000060"#,
            #""iat":1700000000"#, #""iss":"nightlatch""#, #""jti":"AQEBAQEBAQEBAQEBAQEBAQ""#, #""sub":"anna""#,
        ]
        let claims = try message(statement)
        try expectSame(claims, "{" + (common + own).sorted().joined(separator: ",") + "}")
        #expect(Swift.type(of: claims).messageType.rawValue == type)
    }

    private func id<Rule: IdentifierRule>(_ text: String) throws -> Identifier<Rule> {
        try #require(Identifier(rawValue: text))
    }
}
