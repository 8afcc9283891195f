import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import NightlatchRelyingParty
import NightlatchWire

extension RelyingPartyRequestContext {
    /// Returns the body of `request`, decoded strictly.
    ///
    /// - Throws: ``HTTPRefusal`` for another media type or a body that is too large; `Refusal`, `malformed`, for a body
    ///   that is not such a message.
    func message<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self,
        limits: JSONLimits = .request
    ) throws -> Message {
        let bytes = try bytes(of: request, type: "application/json")
        do {
            return try StrictJSON.read(type, from: bytes, limits: limits)
        } catch {
            throw Refusal.malformed(detail: error.description)
        }
    }

    /// Returns the body like ``message(of:as:limits:)``, or nil for a request without a body.
    ///
    /// An empty body may have any `Content-Type`: one of the vendor's SDKs begins a journey with an empty body and
    /// `application/json`.
    func optionalMessage<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self,
        limits: JSONLimits = .request
    ) throws -> Message? {
        if case .whole(let bytes) = content, bytes.readableBytes == 0 { return nil }
        return try message(of: request, as: type, limits: limits)
    }

    /// Returns the body of `request`, decoded as a form.
    ///
    /// - Throws: ``HTTPRefusal`` for another media type or a body that is too large; `Refusal`, `malformed`, for a body
    ///   that is not a form.
    package func form(of request: Request) throws -> FormFields {
        guard let form = FormFields(try bytes(of: request, type: "application/x-www-form-urlencoded")) else {
            throw Refusal.malformed(detail: FormFields.requirement)
        }
        return form
    }

    private func bytes(of request: Request, type contentType: String) throws(HTTPRefusal) -> [UInt8] {
        let types = request.headers[values: .contentType]
        guard types.count == 1, Self.isMediaType(types[0], contentType) else {
            throw .unsupportedMediaType
        }
        return switch content {
        case .whole(let bytes): Array(bytes.readableBytesView)
        case .tooLong: throw .bodyTooLarge
        }
    }

    /// Returns whether `contentType` names the media type `expected`, with or without parameters.
    ///
    /// Compared as bytes: a client may send long values, which are costly to compare as text.
    private static func isMediaType(_ contentType: String, _ expected: String) -> Bool {
        if contentType.isExactly(expected) { return true }
        let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
        guard type.count <= 256 else { return false }
        return String(decoding: type, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
            .isExactly(expected)
    }
}
