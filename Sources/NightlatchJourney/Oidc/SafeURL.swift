internal import Foundation

/// A URL to which secrets may be sent: `https`, or `http` for a loopback address, without user and fragment.
struct SafeURL: Hashable, Sendable {
    let url: URL
    /// The scheme, the host in small letters, and the port.
    let origin: String

    init?(_ text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil, let url = parts.url
        else { return nil }
        switch scheme {
        case "https": break
        case "http": guard ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host) else { return nil }
        default: return nil
        }
        self.url = url
        origin = "\(scheme)://\(host):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }
}
