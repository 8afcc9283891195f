import Mustache

/// How text is escaped in the console's pages: byte by byte.
///
/// Mustache's own way looks at characters, and `<` with a mark that joins it is another character than `<` alone. A browser sees the `<`.
struct ConsoleContentType: MustacheContentType {
    private static let name = "CONSOLE"

    /// What a template begins with to be escaped so, once ``register()`` was called.
    static var pragma: String { "{{% CONTENT_TYPE:\(name)}}" }

    /// Lets templates that are read from now on be of this type.
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
