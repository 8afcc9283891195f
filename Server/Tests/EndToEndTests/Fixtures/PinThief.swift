import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Somebody who has stolen a phone's record, or what the server keeps of it, or both, and tries all PINs that begin with the two digits
/// that he knows: 10,000. He is a program of another language that shares no code with the product (`PinThief/thief.py`) and stretches by the
/// reference implementation of Argon2id; and a process of its own, which keeps no test from its thread.
struct PinThief {
    /// The records that he has copied, oldest first.
    private let images: [String]

    init(_ images: MemoryStore...) async throws {
        var texts: [String] = []
        for image in images {
            let stored = try #require(try await image.read())
            texts.append(String(decoding: stored.bytes, as: UTF8.self))
        }
        self.images = texts
    }

    struct Opened: Decodable {
        /// The PINs that opened something.
        let opened: [String]
    }

    /// What came of images alone.
    struct Images: Decodable {
        /// How many PIN slots there are in them.
        let slots: Int
        let opened: [String]
        /// The PINs of which something that is computed from them lies in the images.
        let found: [String]
        /// How many salts, keys and boxes of two slots are the same.
        let alike: Int
        let tried: Int
        let searched: Int
    }

    /// What came of an image and the server of the same time. Seconds are processor time for each PIN.
    struct Both: Decodable {
        let opened: [String]
        let tried: Int
        let parameters: KeyDerivationParameters
        let stretching: Double
        /// All else.
        let beside: Double
        /// Stretching by what a vault has if nothing else is said.
        let usual: Double
    }

    /// What a server's files hold.
    struct Server: Decodable {
        let found: [String]
        let digits: [String]
        let searched: Int
        let traces: Int
        let elements: Int
        let hashes: Int
        let key: Bool
        let rows: [Int]
        /// Forms of rows that are not there alike for all devices.
        let differing: [String]
        let alike: [[String]]
    }

    /// Which PINs open a slot that hangs on nothing else, or the slot's local tier.
    func alone(tier: Bool = false) async throws -> [String] {
        let opened: Opened = try await ask("alone", ["tier": tier])
        return opened.opened
    }

    /// Everything that can be tried on the images.
    func onImages(pins: (first: String, count: Int)? = nil) async throws -> Images {
        try await ask("images", pins: pins)
    }

    /// - Parameter pins: Those that are tried; nil for all.
    func with(server folder: String, pins: (first: String, count: Int)? = nil) async throws -> Both {
        let parameters = try JSONSerialization.jsonObject(with: JSONEncoder().encode(KeyDerivationParameters.default))
        return try await ask("both", ["server": folder, "default": parameters], pins: pins)
    }

    /// - Parameters:
    ///   - folder: Of the server.
    ///   - devices: The first two have the same PIN, the third has another; all three have done the same.
    ///   - entered: All PINs that anybody has entered.
    ///   - elements: What was sent to the server of any PIN.
    func search(
        server folder: String,
        devices: [DeviceID],
        entered: [String],
        elements: [BlindedElement]
    ) async throws -> Server {
        try await ask(
            "server",
            [
                "server": folder, "devices": devices.map(\.rawValue), "entered": entered,
                "elements": elements.map(\.rawValue),
            ])
    }

    private func ask<Answer: Decodable>(
        _ verb: String,
        _ more: [String: Any] = [:],
        pins: (first: String, count: Int)? = nil
    ) async throws -> Answer {
        let pins = pins ?? ("480000", 10_000)
        var request: [String: Any] = ["do": verb, "pins": [try #require(Int(pins.first)), pins.count]]
        request.merge(more) { $1 }
        // As text: the order of the members of parameters is the record's, and counts.
        var text = String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
        text.removeLast()
        text += #","images":["# + images.joined(separator: ",") + "]}"
        let outcome = try await Python.run(
            file: Self.path, input: text, modules: "cryptography, argon2")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }

    private static let path = URL(fileURLWithPath: #filePath).appendingPathComponent("../../PinThief/thief.py")
        .standardized.path
}
