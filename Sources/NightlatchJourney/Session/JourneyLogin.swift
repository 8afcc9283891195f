/// A login of a journey.
struct JourneyLogin: Sendable {
    /// Counts the logins of the journey. A user of one login never acts for the user of another.
    let number: Int
    let session: JourneySession?

    /// The session's token. Nil without a session, or if it has no token.
    var token: String? {
        guard let token = session?.value, !token.isEmpty else { return nil }
        return token
    }
}
