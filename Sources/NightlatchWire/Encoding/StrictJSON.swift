public import Foundation

/// Why ``StrictJSON`` refused its input. The message is to be refused whole; there is nothing to repair or to retry.
public enum StrictJSONError: Error, Hashable, Sendable {
    /// More bytes than the limit allows, or of member names that are not ASCII.
    case tooLarge
    /// Nested deeper than the limit allows.
    case tooDeep
    /// An object names a member twice. Decoders differ in which one they take, so neither is.
    case duplicateMember(String)
    /// Not JSON as [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) defines it; the offset is in bytes.
    case malformed(offset: Int)
    /// JSON, but not of the shape asked for; the path names the member.
    case unexpectedShape(path: String)
}

/// JSON as security needs it: size, depth and duplicate members are checked before anything is decoded. One parser reads it, so no
/// two can disagree on what it says, and what it makes is decoded without another look at the text.
///
/// `Data`, `Date` and `URL` have no form of their own here; no message holds any.
public enum StrictJSON {
    /// Decodes one value.
    ///
    /// - Throws: ``StrictJSONError``; the input was refused whole.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: some DataProtocol,
        limits: JSONLimits = .message
    ) throws(StrictJSONError) -> Value {
        guard bytes.count <= limits.byteCount else { throw .tooLarge }
        return try decode(type, from: Array(copying: bytes), limits: limits)
    }

    /// As ``decode(_:from:limits:)-(_,DataProtocol,_)``, of bytes that need not be copied first.
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

    /// As ``decode(_:from:limits:)-(_,[UInt8],_)``, where the error says to the sender what to mend.
    ///
    /// - Parameters:
    ///   - type: What is read.
    ///   - bytes: The message, in UTF-8.
    ///   - limits: How large and how deep it may be.
    ///   - isStored: Whether the message was accepted before, perhaps by an earlier version whose rules were not the same.
    /// - Throws: ``MessageFault``; the input was refused whole.
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

    /// Encodes `value` with its members in the order of their names and without white space, so that equal values
    /// give equal bytes.
    ///
    /// - Precondition: `value` encodes itself without throwing, as every type of this module does.
    public static func encode(_ value: some Encodable) -> Data { Data(bytes(of: value)) }

    /// As ``encode(_:)``, without the copy into `Data`.
    public static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONValueEncoder()
        do {
            try value.encode(to: encoder)
        } catch {
            preconditionFailure("a value that cannot be encoded: \(type(of: value))")
        }
        return encoder.finish()
    }
}
