import Hummingbird
import NightlatchRelyingParty

/// The sessions that a request to the authorization endpoint presents.
struct BrowserSessions: Sendable {
    /// The header and cookie of journeys; nil if there are none.
    let journey: JourneyCookie?
    /// The cookie of the login page.
    let browser: BrowserCookie

    /// Returns the tokens in the order in which they are tried. A client that sends the header means no other session.
    func tokens(in request: Request) -> [String] {
        if let token = journey?.header(in: request) { return [token] }
        return [journey?.value(in: request), browser.value(in: request)].compactMap(\.self)
    }

    /// Returns the cookies that remove those of the session that `ended`.
    ///
    /// A cookie of another session is kept: the user may have begun that session since.
    func removals(in request: Request, of ended: AppAccess.EndedSession) -> [Cookie] {
        func isEnded(_ token: String?) -> Bool { token.map(ended.isSession) ?? false }
        return [
            isEnded(journey?.value(in: request)) ? journey?.removal() : nil,
            isEnded(browser.value(in: request)) ? browser.removal() : nil,
        ].compactMap(\.self)
    }
}
