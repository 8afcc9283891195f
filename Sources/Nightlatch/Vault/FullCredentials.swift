/// Says that the person has just proved who they are with their full credentials: user name and password, an identity document,
/// whatever the service asks of somebody who comes with nothing. Biometrics, a PIN and a bound device are not among them.
///
/// Nightlatch cannot see such a proof. Whoever makes this value vouches for it, so make it in one place, beside the check.
public struct FullCredentials: Sendable {
    private init() {}

    /// The app, or the server that it asked, has checked the credentials just now.
    public static func checkedByApp() -> FullCredentials { FullCredentials() }
}
