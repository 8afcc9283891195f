import Mustache

/// Escapes text in the console's pages byte by byte.
///
/// Mustache's own escaping compares characters. `<` with a combining mark is another character than `<`, so Mustache
/// does not escape it, but a browser still parses it as `<`.
struct ConsoleContentType: MustacheContentType {
    private static let name = "CONSOLE"

    /// The beginning of a template with this content type. Call ``register()`` before parsing the template.
    static var pragma: String { "{{% CONTENT_TYPE:\(name)}}" }

    /// Registers this content type for templates that are parsed afterwards.
    static func register() {
        MustacheContentTypes.register(Self(), named: name)
    }

    func escapeText(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
