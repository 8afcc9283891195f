import Foundation

/// A signed message in compact form ([RFC 7515, section 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).
///
/// Parsing checks the form, not the signature. Do not trust the claims until a verifier has checked ``signature`` over
/// ``signingInput`` with a trusted key.
public struct CompactJWS: Hashable, Sendable {
    /// The maximum size of a message, in bytes.
    public static let byteCountLimit = 16 * 1024

    public let header: JWSHeader
    public let signature: [UInt8]
    /// The message in its wire form.
    public let text: String
    private let payload: [UInt8]

    /// Parses `text`.
    ///
    /// - Throws: ``JWSError`` if the form is not valid, or if the header requires extensions.
    public init(_ text: String) throws(JWSError) {
        guard text.utf8.count <= Self.byteCountLimit else { throw .tooLarge }
        // Searches the bytes: a search in the string would first have to form characters.
        let bytes = Array(text.utf8)
        // A third dot makes the last part invalid base64url.
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

    /// The bytes that the signature covers.
    public var signingInput: [UInt8] {
        var bytes = Array(text.utf8)
        bytes.removeLast(signatureTextByteCount + 1)
        return bytes
    }

    /// The length of the last part: base64url without padding.
    private var signatureTextByteCount: Int { (signature.count * 4 + 2) / 3 }

    /// The payload of a message of the kind `Claims`.
    ///
    /// - Throws: ``JWSError/wrongType(_:)`` for a message of another kind, ``JWSError/invalidClaims(_:)`` for a payload
    ///   that is not strictly valid.
    public func claims<Claims: MessageClaims>(_ type: Claims.Type = Claims.self) throws(JWSError) -> Claims {
        guard header.type == Claims.messageType else { throw .wrongType(header.type) }
        do {
            return try StrictJSON.decode(Claims.self, from: payload, limits: .request)
        } catch {
            throw .invalidClaims(error)
        }
    }

    /// The index of the first `byte` in `text`, or nil. The C library compares many bytes with one instruction.
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
        /// The header requires extensions. The rest of it is not read.
        case critical
        case plain(JWSHeader)

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            self = members.contains("crit") ? .critical : .plain(try JWSHeader(members))
        }
    }
}
