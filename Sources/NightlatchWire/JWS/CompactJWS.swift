import Foundation

/// A signed message in compact form ([RFC 7515, section 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).
///
/// Reading one checks its form, never its signature: what it says is hearsay until a verifier has held ``signature`` and
/// ``signingInput`` against a key that it trusts.
public struct CompactJWS: Hashable, Sendable {
    /// The greatest size that is read, in bytes.
    public static let byteCountLimit = 16 * 1024

    public let header: JWSHeader
    public let signature: [UInt8]
    /// The message as it goes over the wire.
    public let text: String
    private let payload: [UInt8]

    /// Reads `text`.
    ///
    /// - Throws: ``JWSError``; the text was refused whole.
    public init(_ text: String) throws(JWSError) {
        guard text.utf8.count <= Self.byteCountLimit else { throw .tooLarge }
        // In bytes, because characters would have to be put together first.
        let bytes = Array(text.utf8)
        // With more dots than two the last part is not base64url.
        guard let first = Self.firstIndex(of: UInt8(ascii: "."), in: bytes[...]),
            let second = Self.firstIndex(of: UInt8(ascii: "."), in: bytes[(first + 1)...]),
            let headerBytes = Base64URL.decode(utf8: bytes[..<first]),
            let payload = Base64URL.decode(utf8: bytes[(first + 1)..<second]),
            let signature = Base64URL.decode(utf8: bytes[(second + 1)...]), !signature.isEmpty
        else { throw .malformed }
        self.text = text
        self.payload = payload
        self.signature = signature
        switch try Self.header(from: headerBytes) {
        case .critical: throw .criticalExtension
        case .plain(let header): self.header = header
        }
    }

    /// The bytes that the signature is over.
    public var signingInput: [UInt8] {
        var bytes = Array(text.utf8)
        bytes.removeLast(signatureTextByteCount + 1)
        return bytes
    }

    /// How long the last part is: base64url without padding.
    private var signatureTextByteCount: Int { (signature.count * 4 + 2) / 3 }

    /// The payload of a message of the kind `Claims`.
    ///
    /// - Throws: ``JWSError/wrongType(_:)`` for a message of another kind, ``JWSError/invalidClaims(_:)`` for a payload that
    ///   is not strictly of the kind's form.
    public func claims<Claims: MessageClaims>(_ type: Claims.Type = Claims.self) throws(JWSError) -> Claims {
        guard header.type == Claims.messageType else { throw .wrongType(header.type) }
        do {
            return try StrictJSON.decode(Claims.self, from: payload, limits: .request)
        } catch {
            throw .invalidClaims(error)
        }
    }

    /// Where `byte` first stands in `text`; nil if nowhere. The C library looks at many bytes with one instruction.
    private static func firstIndex(of byte: UInt8, in text: ArraySlice<UInt8>) -> Int? {
        unsafe text.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let place = unsafe memchr(start, CInt(byte), bytes.count)
            else { return nil }
            return unsafe text.startIndex + (UnsafeRawPointer(place) - start)
        }
    }

    private static func header(from bytes: [UInt8]) throws(JWSError) -> ReceivedHeader {
        do {
            return try StrictJSON.decode(ReceivedHeader.self, from: bytes, limits: .request)
        } catch {
            throw .invalidHeader(error)
        }
    }

    private enum ReceivedHeader: Decodable {
        /// It names extensions that must be understood. What else it says does not count.
        case critical
        case plain(JWSHeader)

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            self = members.contains("crit") ? .critical : .plain(try JWSHeader(members))
        }
    }
}
