import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import NightlatchRelyingParty
import NightlatchWire

extension RelyingPartyRequestContext {
    /// The body of `request` as a message, read strictly.
    func message<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self
    ) throws -> Message {
        let bytes = try bytes(of: request, type: "application/json")
        do {
            return try StrictJSON.read(type, from: bytes, limits: .request)
        } catch {
            throw Refusal.malformed(detail: error.description)
        }
    }

    /// As ``message(of:as:)``; nil for a request without a body, whatever `Content-Type` it has: one of the vendor's SDKs begins a journey
    /// with an empty body and `application/json`.
    func optionalMessage<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self
    ) throws -> Message? {
        if case .whole(let bytes) = content, bytes.readableBytes == 0 { return nil }
        return try message(of: request, as: type)
    }

    /// The body of `request` as a form.
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

    /// Whether a `Content-Type` names this type, with parameters or without. In bytes: what a client sends may be long, and costly to compare
    /// as text.
    private static func isMediaType(_ contentType: String, _ expected: String) -> Bool {
        if contentType.isExactly(expected) { return true }
        let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
        guard type.count <= 256 else { return false }
        return String(decoding: type, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
            .isExactly(expected)
    }
}
