public import Foundation

/// The reason why ``StrictJSON`` refused its input. Nothing of the message may be used, and a retry does not help.
public enum StrictJSONError: Error, Hashable, Sendable {
    /// The input, or its member names that are not ASCII, have more bytes than the limit allows.
    case tooLarge
    /// The input is nested deeper than the limit allows.
    case tooDeep
    /// An object has a member twice. Decoders differ in which one they use, so both are refused.
    case duplicateMember(String)
    /// The input is not JSON ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)). The offset is in bytes.
    case malformed(offset: Int)
    /// The input is JSON, but not of the requested shape. The path names the member.
    case unexpectedShape(path: String)
}

/// A JSON coder for messages that security depends on.
///
/// Size, depth and duplicate members are checked before anything is decoded. A single parser reads the text, and
/// decoding uses its result, so no two parsers can interpret a message differently. `Data`, `Date` and `URL` have no
/// special form; messages do not contain them.
public enum StrictJSON {
    /// Decodes one value.
    ///
    /// - Throws: ``StrictJSONError``. Nothing of the input is used.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: some DataProtocol,
        limits: JSONLimits = .message
    ) throws(StrictJSONError) -> Value {
        guard bytes.count <= limits.byteCount else { throw .tooLarge }
        return try decode(type, from: Array(copying: bytes), limits: limits)
    }

    /// Same as ``decode(_:from:limits:)-(_,DataProtocol,_)``, for bytes that need no copy.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        limits: JSONLimits = .message
    ) throws(StrictJSONError) -> Value {
        do throws(MessageFault) {
            return try read(type, from: bytes, limits: limits)
        } catch {
            throw error.error
        }
    }

    /// Same as ``decode(_:from:limits:)-(_,[UInt8],_)``, with an error that tells the sender which member to correct.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - bytes: The message, in UTF-8.
    ///   - limits: The limits on its size and depth.
    ///   - isStored: Whether the message was accepted before, perhaps by an earlier version with other rules.
    /// - Throws: ``MessageFault``. Nothing of the input is used.
    public static func read<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        limits: JSONLimits = .message,
        isStored: Bool = false
    ) throws(MessageFault) -> Value {
        guard bytes.count <= limits.byteCount else { throw MessageFault(.tooLarge) }
        let value: JSONValue
        do {
            var parser = JSONParser(bytes, limits: limits)
            value = try parser.parseDocument()
        } catch {
            throw MessageFault(error)
        }
        do {
            return try Value(from: JSONValueDecoder(value, isStored: isStored))
        } catch {
            throw MessageFault(decoding: error)
        }
    }

    /// Encodes `value` with sorted members and without white space, so that equal values give equal bytes.
    ///
    /// - Precondition: Encoding `value` does not throw. No type of this module throws.
    public static func encode(_ value: some Encodable) -> Data { Data(bytes(of: value)) }

    /// Same as ``encode(_:)``, without the copy into `Data`.
    public static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONValueEncoder()
        do {
            try value.encode(to: encoder)
        } catch {
            preconditionFailure("cannot encode a value of type \(type(of: value))")
        }
        return encoder.finish()
    }
}
