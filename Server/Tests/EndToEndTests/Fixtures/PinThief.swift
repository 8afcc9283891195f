import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker with a stolen phone record, stolen server data, or both, who tries all 10,000 PINs that begin with
/// the two digits that he knows.
///
/// The attacker is a Python program that shares no code with the product (`PinThief/thief.py`). It stretches PINs with
/// the reference implementation of Argon2id. It is a process, so it blocks no thread of the tests.
struct PinThief {
    /// The copied records, oldest first.
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
        /// The PINs that opened a slot.
        let opened: [String]
    }

    /// The result of an attack with images alone.
    struct Images: Decodable {
        /// The number of PIN slots in the images.
        let slots: Int
        let opened: [String]
        /// The PINs from which a value in the images can be computed.
        let found: [String]
        /// The number of salts, keys and sealed boxes that are equal in two slots.
        let alike: Int
        let tried: Int
        let searched: Int
    }

    /// The result of an attack with an image and the server's data of the same time.
    ///
    /// Times are processor seconds for each PIN.
    struct Both: Decodable {
        let opened: [String]
        let tried: Int
        let parameters: KeyDerivationParameters
        let stretching: Double
        /// The time of everything but stretching.
        let beside: Double
        /// The time of stretching with a vault's default parameters.
        let usual: Double
    }

    /// The result of a search in a server's files.
    struct Server: Decodable {
        let found: [String]
        let digits: [String]
        let searched: Int
        let traces: Int
        let elements: Int
        let hashes: Int
        let key: Bool
        let rows: [Int]
        /// The kinds of rows that not all devices have in the same form.
        let differing: [String]
        let alike: [[String]]
    }

    /// Returns the PINs that open a slot without a hardener, or the slot's local tier.
    func alone(tier: Bool = false) async throws -> [String] {
        let opened: Opened = try await ask("alone", ["tier": tier])
        return opened.opened
    }

    /// Tries all attacks on the images alone.
    func onImages(pins: (first: String, count: Int)? = nil) async throws -> Images {
        try await ask("images", pins: pins)
    }

    /// Tries PINs with the images and the server's data.
    ///
    /// - Parameters:
    ///   - folder: The server's folder.
    ///   - pins: The PINs to try; nil for all.
    func with(server folder: String, pins: (first: String, count: Int)? = nil) async throws -> Both {
        let parameters = try JSONSerialization.jsonObject(with: JSONEncoder().encode(KeyDerivationParameters.default))
        return try await ask("both", ["server": folder, "default": parameters], pins: pins)
    }

    /// Searches the server's files for values that depend on a PIN.
    ///
    /// - Parameters:
    ///   - folder: The server's folder.
    ///   - devices: The first two have the same PIN and the third has another; all three have done the same.
    ///   - entered: All PINs that were entered.
    ///   - elements: The blinded elements that were sent to the server.
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
        // Built as text, because the record's order of the parameters' members must be kept.
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
