public import Foundation

/// Base64 with the URL alphabet and without padding ([RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)),
/// as [RFC 7515](https://www.rfc-editor.org/rfc/rfc7515#section-2) uses it.
public enum Base64URL {
    /// The text for `bytes`.
    public static func encode(_ bytes: some DataProtocol) -> String {
        var text = Data(bytes).base64EncodedString()
        text.replace("+", with: "-")
        text.replace("/", with: "_")
        return String(text.prefix { $0 != "=" })
    }

    /// The bytes that `text` stands for, or nil unless `text` is exactly what ``encode(_:)`` makes of them: padding,
    /// white space, the other alphabet and stray bits in the last character are all refused, so that two texts never
    /// stand for the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var padded = String(text)
        padded.replace("-", with: "+")
        padded.replace("_", with: "/")
        padded += String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), encode(data) == text else { return nil }
        return [UInt8](data)
    }
}
