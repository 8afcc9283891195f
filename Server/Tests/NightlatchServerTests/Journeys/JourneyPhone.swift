import Foundation
import HummingbirdTesting
import NightlatchServer
import NightlatchWire
import Testing

/// A phone whose key is called `id`.
struct JourneyPhone {
    let id: String
    var key = TestKey.newEC()
    var subject: String? = "id=alice,ou=user,o=root,ou=services,ou=am-config"
    var application = "com.example.app"

    /// A message over `challenge`, with `more` claims; with the key in its header, if it is to be bound.
    func message(
        _ challenge: String,
        life: Duration = .seconds(60),
        binds: Bool = false,
        more: [OrderedJSON.Member] = []
    ) throws -> String {
        var header: [OrderedJSON.Member] = [.init("alg", .string("ES256")), .init("kid", .string(id))]
        if binds {
            let key = try StrictJSON.decode(OrderedJSON.self, from: StrictJSON.encode(key.jwk))
            header.append(.init("jwk", key))
        }
        let subject = subject.map { [OrderedJSON.Member("sub", .string($0))] } ?? []
        let claims: [OrderedJSON.Member] =
            subject + [
                .init("iss", .string(application)), .init("challenge", .string(challenge)),
                .init("exp", .integer((TestTime.current + life).secondsSince1970)),
            ]
        let parts = [header, claims + more].map { Base64URL.encode(OrderedJSON.object($0).bytes) }
        let input = parts.joined(separator: ".")
        return input + "." + Base64URL.encode(try key.sign(Data(input.utf8), algorithm: "ES256"))
    }

    /// What answers a binding node.
    func binding(_ challenge: String, more: [OrderedJSON.Member] = []) throws -> OrderedJSON {
        .array([
            .string(try message(challenge, binds: true, more: more)), .string("Phone"), .string("machine"), .string(""),
        ])
    }

    /// What `asked` gives to be signed.
    static func challenge(in asked: TestResponse) throws -> String {
        let json = try StrictJSON.decode(OrderedJSON.self, from: Data(asked.text.utf8))
        let outputs = try #require(json["callbacks"]?.values?.first?["output"]?.values, "\(asked.text)")
        return try #require(outputs.first { $0["name"]?.text == "challenge" }?["value"]?.text)
    }
}
