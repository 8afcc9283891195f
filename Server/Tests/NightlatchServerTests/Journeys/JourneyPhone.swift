import Foundation
import HummingbirdTesting
import NightlatchServerTesting
import NightlatchWire
import Testing

/// A phone with a key that has the id `id`.
struct JourneyPhone {
    let id: String
    var key = TestKey.newEC()
    var subject: String? = "id=alice,ou=user,o=root,ou=services,ou=am-config"
    var application = "com.example.app"

    /// Signs a message over `challenge`.
    ///
    /// - Parameters:
    ///   - challenge: The challenge or text that the server gave.
    ///   - life: How long the message is valid.
    ///   - dates: Members that replace the time at which the message expires.
    ///   - binds: Whether the key is to be bound; the message then has the key in its header.
    ///   - aboutKey: Further members of the key.
    ///   - more: Claims beyond those of the protocol.
    func message(
        _ challenge: String,
        life: Duration = .seconds(60),
        dates: [JSONObject.Member]? = nil,
        binds: Bool = false,
        aboutKey: [JSONObject.Member] = [],
        more: [JSONObject.Member] = []
    ) throws -> String {
        var header: [JSONObject.Member] = [.init("alg", .string("ES256")), .init("kid", .string(id))]
        if binds {
            let key = try StrictJSON.decode(JSONValue.self, from: StrictJSON.encode(key.jwk))
            header.append(.init("jwk", .object((key.object?.members ?? []) + aboutKey)))
        }
        let subject = subject.map { [JSONObject.Member("sub", .string($0))] } ?? []
        let claims: [JSONObject.Member] =
            subject + [
                .init("iss", .string(application)), .init("challenge", .string(challenge)),
            ] + (dates ?? [.init("exp", .integer((TestTime.current + life).secondsSince1970))])
        let parts = [header, claims + more].map { Base64URL.encode(JSONValue.object($0).bytes) }
        let input = parts.joined(separator: ".")
        return input + "." + Base64URL.encode(try key.sign(Data(input.utf8), algorithm: "ES256"))
    }

    /// Returns the answer to a binding node.
    func binding(_ challenge: String, more: [JSONObject.Member] = []) throws -> JSONValue {
        .array([
            .string(try message(challenge, binds: true, more: more)), .string("Phone"), .string("machine"), .string(""),
        ])
    }

    /// Returns the challenge or text to be signed in `asked`.
    static func challenge(in asked: TestResponse) throws -> String {
        let json = try StrictJSON.decode(JSONValue.self, from: Data(asked.text.utf8))
        let outputs = try #require(json["callbacks"]?.array?.first?["output"]?.array, "\(asked.text)")
        return try #require(outputs.first { $0["name"]?.string == "challenge" }?["value"]?.string)
    }
}
