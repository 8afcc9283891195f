internal import Foundation

/// The reason why there are no tokens or no profile. Neither the session nor stored tokens were removed.
public enum OidcError: Error, Sendable {
    /// There is no session, the server gave no authorization code, or its answer does not belong to the request. The
    /// error's advice says whether to start a journey, to try later, or to report a defect.
    case authorizeError(cause: (any Error)? = nil, message: String? = nil)
    /// There was no answer. Call again once there is a connection.
    case networkError(cause: (any Error)? = nil, message: String? = nil)
    /// The server refused or failed, with this status. The message is the server's error code with its description.
    case apiError(code: Int, message: String)
    /// Another error: no ``OidcModule``, an incomplete configuration, a storage that cannot be used now.
    case unknown(cause: (any Error)? = nil, message: String? = nil)

    /// A description in the vendor's form. `text(in:)` returns one in the app's language.
    public var errorMessage: String {
        switch self {
        case .authorizeError(let cause, let message): "Authorization error: \(Self.text(cause, message))"
        case .networkError(let cause, let message): "Network error: \(Self.text(cause, message))"
        case .apiError(let code, let message): "API error: \(code) \(message)"
        case .unknown(let cause, let message): "Error: \(Self.text(cause, message))"
        }
    }

    /// An answer belongs to another request, client, user or server.
    static func foreign(_ message: String) -> OidcError {
        .authorizeError(cause: AuthorizationFault.foreign, message: message)
    }

    /// There is no session to get tokens with.
    static func noSession(_ message: String) -> OidcError {
        .authorizeError(cause: AuthorizationFault.noSession, message: message)
    }

    private static func text(_ cause: (any Error)?, _ message: String?) -> String {
        message ?? cause?.localizedDescription ?? "Unknown"
    }
}
