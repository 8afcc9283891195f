/// Why a request was refused before any rule was asked: HTTP's own refusals.
package enum HTTPRefusal: Error, Hashable, Sendable {
    /// The path has these methods alone, as `Allow` lists them.
    case methodNotAllowed(allowed: String)
    case unsupportedMediaType
    case bodyTooLarge
}
