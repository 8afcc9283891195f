import Foundation
import Nightlatch
import NightlatchFuzzReference
import NightlatchJourney
import NightlatchWire

/// Checks that the client sends a journey's callbacks back unchanged, except for the answers.
enum CallbackInvariants {
    /// - Parameter input: The server's answer to a start.
    static func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        let server = AnsweringServer(Data(input))
        let journey = Journey.createJourney { config in
            config.serverUrl = "https://example.com/am"
            config.transport = server
        }
        let node = await journey.start("Login")
        let answer = JSONReference(input)
        switch node {
        case let node as ContinueNode:
            try await checkEcho(node, input, server)
            try await checkAnswers(node, server)
        case is SuccessNode:
            let members = try unwrap(JSONObjectReference(input), "a success that is no object")
            try require(!members.contains("authId"), "a success that has another step")
            let token = members.text("tokenId") ?? ""
            let kept = await journey.session()?.value ?? ""
            try require(kept == token, "another session")
        case let node as FailureNode:
            try require(node.cause is JourneyError, "a failure of another kind")
        default: throw FuzzFinding("an answer of 200 was taken for a refusal")
        }
        guard !(node is FailureNode) else { return false }
        try require(answer != nil && answer?.hasDuplicateNames == false, "accepted what the reference refuses")
        try require((answer?.depth ?? .max) <= 32, "accepted what is nested too deep")
        return true
    }

    /// An unanswered step is sent back with the content of the server's answer.
    private static func checkEcho(
        _ node: ContinueNode,
        _ input: [UInt8],
        _ server: AnsweringServer
    ) async throws(FuzzFinding) {
        let limits = JSONLimits(byteCount: .max, depth: .max)
        let asked = try unwrap(try? JSONValue(parsing: input, limits: limits), "an answer that is not strict").object
        let sent = try await sentBack(node, server)
        try require(sent?["authId"] == asked?["authId"], "another authentication session")
        try require(
            sent?["callbacks"]?.bytes == (asked?["callbacks"] ?? .array([])).bytes,
            "callbacks that are not as they came")
        try require(sent?.members.map(\.name) == ["authId", "callbacks"], "more than the step's answer")
    }

    /// After answering, the callbacks differ only in the values of their inputs.
    private static func checkAnswers(_ node: ContinueNode, _ server: AnsweringServer) async throws(FuzzFinding) {
        let before = try await sentBack(node, server)?["callbacks"]?.array ?? []
        for callback in node.callbacks {
            _ = callback.json
            switch callback {
            case let callback as NameCallback: callback.name = callback.prompt + "\u{0}\"\\é"
            case let callback as PasswordCallback: callback.password = callback.prompt
            case let callback as TextInputCallback: callback.text = callback.defaultText
            case let callback as ChoiceCallback: callback.selectedIndex = callback.choices.count
            case let callback as ConfirmationCallback: callback.selectedIndex = callback.options.count
            case let callback as UnknownCallback: callback.setInput("answer", at: 1)
            case let callback as DeviceBindingCallback: _ = await callback.bind()
            case let callback as DeviceSigningVerifierCallback: _ = await callback.sign()
            default: break
            }
        }
        let after = try await sentBack(node, server)?["callbacks"]?.array ?? []
        try require(before.map(withoutAnswers) == after.map(withoutAnswers), "more than the answers has changed")
    }

    /// The body of the next request.
    private static func sentBack(
        _ node: ContinueNode, _ server: AnsweringServer
    ) async throws(FuzzFinding) -> JSONObject? {
        _ = await node.next()
        let body = try unwrap(await server.lastBody, "nothing was sent")
        let value = try? JSONValue(parsing: body, limits: JSONLimits(byteCount: .max, depth: .max))
        return try unwrap(value, "what was sent is not strict").object
    }

    /// A callback with empty values in its inputs. An element of `input` that is not an object is unchanged.
    private static func withoutAnswers(_ callback: JSONValue) -> Data {
        guard var members = callback.object, let inputs = members["input"]?.array else { return callback.bytes }
        let emptied = inputs.map { input -> JSONValue in
            guard var members = input.object else { return input }
            members.set("value", .null)
            return .object(members)
        }
        members.set("input", .array(emptied))
        return JSONValue.object(members).bytes
    }
}
