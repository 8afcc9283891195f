import Mustache
import NightlatchServer

/// Escapes text in the console's pages scalar by scalar.
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

    func escapeText(_ text: String) -> String { text.htmlEscaped }
}
