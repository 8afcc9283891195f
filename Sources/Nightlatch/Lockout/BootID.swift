import Crypto
import Foundation
import NightlatchWire

/// Distinguishes one start of the device from another. The value is a hash: a record does not reveal the system's own
/// identifier.
public struct BootID: Codable, Hashable, Sendable {
    private let digest: Identifier<BootIDRule>

    /// - Parameter text: The system's name for this start of the device, such as a UUID.
    public init(_ text: String) {
        var transcript = Transcript("nightlatch boot id")
        transcript.append(text)
        let digest = SHA256.hash(data: transcript.bytes).prefix(BootIDRule.byteCount)
        self.digest = Identifier(unchecked: Base64URL.encode(Data(digest)))
    }

    public init(from decoder: any Decoder) throws {
        digest = try Identifier(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try digest.encode(to: encoder)
    }
}

private enum BootIDRule: BinaryIdentifierRule {
    static let name = "boot id"
    static let byteCount = 16
}
