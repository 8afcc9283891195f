import Foundation
import HummingbirdTesting
import NightlatchWire
import Testing

/// A phone whose key is called `id`.
struct JourneyPhone {
    let id: String
    var key = TestKey.newEC()
    var subject: String? = "id=alice,ou=user,o=root,ou=services,ou=am-config"
    var application = "com.example.app"

    /// A message over `challenge`, with `more` claims; with the key in its header, if it is to be bound.
    ///
    /// - Parameters:
    ///   - challenge: What the server has given to be signed.
    ///   - life: How long the message lives.
    ///   - dates: What it has in place of the time at which that ends.
    ///   - binds: Whether the key is to be bound.
    ///   - aboutKey: What the key says of itself.
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

    /// What answers a binding node.
    func binding(_ challenge: String, more: [JSONObject.Member] = []) throws -> JSONValue {
        .array([
            .string(try message(challenge, binds: true, more: more)), .string("Phone"), .string("machine"), .string(""),
        ])
    }

    /// What `asked` gives to be signed.
    static func challenge(in asked: TestResponse) throws -> String {
        let json = try StrictJSON.decode(JSONValue.self, from: Data(asked.text.utf8))
        let outputs = try #require(json["callbacks"]?.array?.first?["output"]?.array, "\(asked.text)")
        return try #require(outputs.first { $0["name"]?.string == "challenge" }?["value"]?.string)
    }
}
