import Foundation
import HTTPTypes
import Hummingbird
import NightlatchWire

extension Request {
    /// The body as a message, read strictly.
    func message<Message: Decodable>(_ type: Message.Type = Message.self) async throws(Refusal) -> Message {
        let bytes = try await body(ofType: "application/json")
        do {
            return try StrictJSON.decode(type, from: bytes)
        } catch {
            throw .malformedRequest
        }
    }

    /// As ``message(_:)``; nil for a request that has no body and says nothing of one.
    func optionalMessage<Message: Decodable>(_ type: Message.Type) async throws(Refusal) -> Message? {
        let isEmpty = (headers[.contentLength] ?? "0") == "0" && headers[.transferEncoding] == nil
        if isEmpty, headers[values: .contentType].isEmpty { return nil }
        return try await message(type)
    }

    /// The body as a form.
    func form() async throws(Refusal) -> FormFields {
        guard let form = FormFields(try await body(ofType: "application/x-www-form-urlencoded")) else {
            throw .malformedRequest
        }
        return form
    }

    /// A `Content-Type` without its parameters, in the one way of writing it.
    private static func mediaType(of contentType: String) -> String? {
        contentType.split(separator: ";", omittingEmptySubsequences: false).first?
            .trimmingCharacters(in: .whitespaces).lowercased()
    }

    private func body(ofType contentType: String) async throws(Refusal) -> [UInt8] {
        let types = headers[values: .contentType]
        guard types.count == 1, types[0] == contentType || Self.mediaType(of: types[0]) == contentType else {
            throw .unsupportedMediaType
        }
        do {
            return Array(try await body.collect(upTo: RequestLimits.bodyByteCount).readableBytesView)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw .bodyTooLarge
        } catch {
            // The connection broke: nobody reads the answer.
            throw .malformedRequest
        }
    }
}
