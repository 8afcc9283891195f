/// Why a request was refused by the rules of HTTP, before any rule of the relying party.
package enum HTTPRefusal: Error, Hashable, Sendable {
    /// The path supports only these methods. The text is the value of the `Allow` header.
    case methodNotAllowed(allowed: String)
    case unsupportedMediaType
    case bodyTooLarge
}
