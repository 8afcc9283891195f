public import Foundation

/// A signed message in compact form ([RFC 7515, section 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).
///
/// Reading one checks its form, never its signature: what it says is hearsay until a verifier has held ``signature`` and
/// ``signingInput`` against a key that it trusts.
public struct CompactJWS: Hashable, Sendable {
    /// The greatest size that is read, in bytes.
    public static let byteCountLimit = 16 * 1024

    public let header: JWSHeader
    public let signature: [UInt8]
    private let payload: [UInt8]
    private let parts: [Substring]

    /// Reads `text`.
    ///
    /// - Throws: ``JWSError``; the text was refused whole.
    public init(_ text: String) throws(JWSError) {
        guard text.utf8.count <= Self.byteCountLimit else { throw .tooLarge }
        parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerBytes = Base64URL.decode(parts[0]),
            let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty
        else { throw .malformed }
        self.payload = payload
        self.signature = signature
        switch try Self.header(from: headerBytes) {
        case .critical: throw .criticalExtension
        case .plain(let header): self.header = header
        }
    }

    /// The message as it goes over the wire.
    public var text: String { parts.joined(separator: ".") }

    /// The bytes that the signature is over.
    public var signingInput: Data { Data(parts[0].utf8) + Data(".".utf8) + Data(parts[1].utf8) }

    /// The payload of a message of the kind `Claims`.
    ///
    /// - Throws: ``JWSError/wrongType(_:)`` for a message of another kind, ``JWSError/invalidClaims(_:)`` for a payload that
    ///   is not strictly of the kind's form.
    public func claims<Claims: MessageClaims>(_ type: Claims.Type = Claims.self) throws(JWSError) -> Claims {
        guard header.type == Claims.messageType else { throw .wrongType(header.type) }
        do {
            return try StrictJSON.decode(Claims.self, from: payload)
        } catch {
            throw .invalidClaims(error)
        }
    }

    private static func header(from bytes: [UInt8]) throws(JWSError) -> ReceivedHeader {
        do {
            return try StrictJSON.decode(ReceivedHeader.self, from: bytes)
        } catch {
            throw .invalidHeader(error)
        }
    }

    private enum ReceivedHeader: Decodable {
        /// It names extensions that must be understood. What else it says does not count.
        case critical
        case plain(JWSHeader)

        init(from decoder: any Decoder) throws {
            let isCritical = try decoder.container(keyedBy: CodingKeys.self).contains(.crit)
            self = isCritical ? .critical : .plain(try JWSHeader(from: decoder))
        }

        private enum CodingKeys: CodingKey { case crit }
    }
}
