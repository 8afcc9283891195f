/// The names of the claims that define a message. The app may not set them.
enum ReservedClaims {
    private static let all: Set<String> = ["sub", "exp", "iat", "nbf", "iss", "challenge"]

    static func names(in claims: [String: Any]) -> Set<String> { all.intersection(claims.keys) }
}
