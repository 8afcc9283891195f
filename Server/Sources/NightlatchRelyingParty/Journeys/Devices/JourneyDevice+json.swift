import Crypto
import Foundation
import NightlatchTokenVerification
import NightlatchWire

extension JourneyDevice {
    /// The device in the protocol's form. Times are milliseconds since 1970.
    func json(with more: [JSONObject.Member]) -> JSONValue {
        let own: [JSONObject.Member] = [
            .init("createdDate", .integer(boundAt.secondsSince1970 * 1000)),
            .init("lastAccessDate", .integer(lastAccessAt.secondsSince1970 * 1000)),
            .init("deviceId", .string(machine.rawValue)),
            .init("deviceName", .string(name.rawValue)),
            .init("uuid", .string(id.rawValue)),
            .init("key", keyJSON),
        ]
        // The revision is a hash of the other members, so it changes with them.
        let revision = SHA256.hash(data: JSONValue.object(own).bytes).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return .object(
            [.init("_id", .string(id.rawValue)), .init("_rev", .string(String(revision)))] + own + more)
    }

    private var keyJSON: JSONValue {
        let members: [(String, String)] =
            switch key {
            case .ec(let key):
                [
                    ("crv", "P-256"), ("x", Base64URL.encode(Array(key.coordinates.prefix(32)))),
                    ("y", Base64URL.encode(Array(key.coordinates.suffix(32)))),
                ]
            case .rsa(let key): [("n", Base64URL.encode(key.modulus)), ("e", Base64URL.encode(key.exponent))]
            }
        let kind =
            switch key {
            case .ec: "EC"
            case .rsa: "RSA"
            }
        let all = [("kty", kind), ("kid", id.rawValue), ("use", "sig"), ("alg", algorithm.rawValue)] + members
        return .object(all.map { .init($0.0, .string($0.1)) })
    }
}
