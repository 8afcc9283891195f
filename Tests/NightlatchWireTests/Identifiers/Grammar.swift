import NightlatchWire
import Testing

/// A kind of identifier, with texts that it accepts and texts that it refuses.
struct Grammar: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let accepted: [String]
    let refused: [String]
    private let reads: @Sendable (String) -> String?
    private let decodes: @Sendable (String) -> String?
    private let encodes: @Sendable (String) -> String?

    init<Rule: IdentifierRule>(_ rule: Rule.Type, accepted: [String], refused: [String]) {
        testDescription = Rule.name
        self.accepted = accepted
        self.refused = refused
        reads = { Identifier<Rule>(rawValue: $0)?.rawValue }
        decodes = { try? StrictJSON.decode(Identifier<Rule>.self, from: StrictJSON.encode($0)).rawValue }
        encodes = { text in
            Identifier<Rule>(rawValue: text).flatMap {
                try? StrictJSON.decode(String.self, from: StrictJSON.encode($0))
            }
        }
    }

    func expectAccepted(_ text: String) {
        #expect(reads(text) == text)
        #expect(decodes(text) == text)
        #expect(encodes(text) == text)
    }

    func expectRefused(_ text: String) {
        #expect(reads(text) == nil, "\(text.debugDescription)")
        #expect(decodes(text) == nil, "\(text.debugDescription)")
    }
}
