import Foundation
import Nightlatch
import NightlatchJourney
import Testing

@Suite("Callbacks without their own class")
struct UnknownCallbackTests {
    private let phone = JourneyPhone()

    /// As servers send them: the value first, then whether the server only validates it.
    private static let attribute =
        #"{"type":"NumberAttributeInputCallback","output":[{"name":"name","value":"age"},{"name":"prompt","value":"Age"},"#
        + #"{"name":"required","value":true}],"input":[{"name":"IDToken1","value":0},"#
        + #"{"name":"IDToken1validateOnly","value":false}]}"#

    private static let terms =
        #"{"type":"TermsAndConditionsCallback","output":[{"name":"version","value":"0.1"}],"input":[{"name":"IDToken2","value":false}]}"#

    /// The inputs that are sent back, as text of the body.
    private func inputs(
        of callback: String,
        set: (UnknownCallback) -> Void
    ) async throws -> String {
        phone.server.script(.ask(callback), .success)
        let node = try #require(await phone.journey().start("Registration") as? ContinueNode)
        set(try #require(node.callbacks.first as? UnknownCallback))
        _ = await node.next()
        let body = phone.server.lastBody
        let start = try #require(body.range(of: #""input":"#))
        return String(body[start.upperBound...].dropLast(3))
    }

    @Test("A boolean is sent back as a boolean")
    func boolean() async throws {
        let sent = try await inputs(of: Self.terms) { $0.setInput(true, at: 0) }
        #expect(sent == #"[{"name":"IDToken2","value":true}]"#)
    }

    @Test("A number and a boolean of one callback keep their types and positions")
    func numberAndBoolean() async throws {
        let whole = try await inputs(of: Self.attribute) { callback in
            callback.setInput(30, at: 0)
            callback.setInput(true, at: 1)
        }
        #expect(whole == #"[{"name":"IDToken1","value":30},{"name":"IDToken1validateOnly","value":true}]"#)
        let fraction = try await inputs(of: Self.attribute) { $0.setInput(30.5, at: 0) }
        #expect(fraction == #"[{"name":"IDToken1","value":30.5},{"name":"IDToken1validateOnly","value":false}]"#)
    }

    @Test("A text is sent back as a text")
    func text() async throws {
        let sent = try await inputs(of: Self.attribute) { $0.setInput("30", at: 0) }
        #expect(sent.hasPrefix(#"[{"name":"IDToken1","value":"30"},"#))
    }

    @Test("A missing input and a number that JSON cannot represent are refused, and change nothing")
    func refused() async throws {
        let sent = try await inputs(of: Self.attribute) { callback in
            #expect(!callback.setInput(true, at: 2))
            #expect(!callback.setInput("a", at: -1))
            #expect(!callback.setInput(Double.infinity, at: 0))
            #expect(!callback.setInput(Double.nan, at: 0))
            #expect(callback.setInput(-0.5, at: 0))
        }
        #expect(sent == #"[{"name":"IDToken1","value":-0.5},{"name":"IDToken1validateOnly","value":false}]"#)
    }

    @Test("A callback's outputs are read by name and its inputs by position, each with its JSON type")
    func reading() async throws {
        phone.server.script(.ask(Self.attribute))
        let node = try #require(await phone.journey().start("Registration") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? UnknownCallback)
        #expect(callback.output("prompt") as? String == "Age")
        #expect(callback.output("required") as? Bool == true)
        #expect(callback.output("policies") == nil)
        #expect(callback.input(at: 0) as? Int == 0)
        #expect(callback.input(at: 1) as? Bool == false)
        #expect(callback.input(at: 2) == nil)
    }
}
