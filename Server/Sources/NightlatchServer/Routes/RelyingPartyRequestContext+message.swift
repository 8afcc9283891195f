import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NightlatchWire

extension RelyingPartyRequestContext {
    /// The body of `request` as a message, read strictly.
    func message<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self
    ) throws(Refusal) -> Message {
        let bytes = try bytes(of: request, type: "application/json")
        do {
            return try StrictJSON.read(type, from: bytes)
        } catch {
            throw .malformed(detail: error.description)
        }
    }

    /// As ``message(of:as:)``; nil for a request without a body, whatever `Content-Type` it has: one of the vendor's SDKs begins a journey
    /// with an empty body and `application/json`.
    func optionalMessage<Message: Decodable>(
        of request: Request,
        as type: Message.Type = Message.self
    ) throws(Refusal) -> Message? {
        if case .whole(let bytes) = content, bytes.readableBytes == 0 { return nil }
        return try message(of: request, as: type)
    }

    /// The body of `request` as a form.
    func form(of request: Request) throws(Refusal) -> FormFields {
        guard let form = FormFields(try bytes(of: request, type: "application/x-www-form-urlencoded")) else {
            throw .malformed(detail: FormFields.requirement)
        }
        return form
    }

    func bytes(of request: Request, type contentType: String) throws(Refusal) -> [UInt8] {
        let types = request.headers[values: .contentType]
        guard types.count == 1, types[0] == contentType || Self.mediaType(of: types[0]) == contentType else {
            throw .unsupportedMediaType
        }
        return switch content {
        case .whole(let bytes): Array(bytes.readableBytesView)
        case .tooLong: throw .bodyTooLarge
        }
    }

    /// A `Content-Type` without its parameters, in the one way of writing it.
    private static func mediaType(of contentType: String) -> String? {
        contentType.split(separator: ";", omittingEmptySubsequences: false).first?
            .trimmingCharacters(in: .whitespaces).lowercased()
    }
}
