import Foundation
import Nightlatch
import NightlatchWire
import Testing

/// An answer of a server, compared without its times.
struct ReceivedPinAnswer: Equatable {
    let status: Int
    let body: Data
    private let members: NSDictionary

    init(_ response: HTTPTransportResponse) throws {
        (status, body) = (response.status, response.body)
        var members = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        members["issued_at"] = nil
        members["wait_seconds"] = nil
        self.members = members as NSDictionary
    }

    static func == (one: Self, other: Self) -> Bool { one.status == other.status && one.members == other.members }

    func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try #require(status == 200, "\(String(decoding: body, as: UTF8.self))")
        return try StrictJSON.decode(type, from: body)
    }

    var refusal: ProblemCode? {
        get throws { status == 200 ? nil : try StrictJSON.decode(Problem.self, from: body).code }
    }
}
