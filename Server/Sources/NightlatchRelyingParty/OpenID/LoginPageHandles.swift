import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// A login page that a browser shows, sealed into the page's address.
///
/// It contains the whole state of the page, so showing one writes nothing, and any process continues with it.
package struct LoginPageHandle: Hashable, Sendable {
    /// A text for the query of an address.
    package let text: String

    package init(_ text: String) { self.text = text }
}

/// The secret of one browser, in a cookie: 32 random bytes. Only the browser that began a login may continue with it.
package struct BrowserSecret: Hashable, Sendable {
    package let text: String

    package static func random() -> Self { Self(Challenge.random()) }

    /// Parses the value of a cookie; returns nil for text of another form.
    package init?(_ text: String) {
        guard let value = Challenge(rawValue: text) else { return nil }
        self.init(value)
    }

    private init(_ value: Challenge) { text = value.rawValue }

    /// The hash in the handle. A reader of the address cannot continue with it.
    fileprivate var hash: String { Base64URL.encode(SHA256.digest(of: Array(text.utf8)).bytes) }
}

/// The state of a login page.
struct LoginPageContent: Codable, Hashable, Sendable {
    var offer: OfferedRemoteLogin
    /// The parameters of the authorization request.
    let fields: [String: String]
    /// The hash of the browser's secret.
    let browser: String
    /// Whether the user's name was entered, so that the page no longer asks for it.
    var hasUser: Bool

    init(offer: OfferedRemoteLogin, fields: [String: String], browser: BrowserSecret) {
        self.offer = offer
        self.fields = fields
        self.browser = browser.hash
        hasUser = false
    }

    func belongs(to browser: BrowserSecret?) -> Bool {
        browser.map { ConstantTime.isEqual($0.hash, self.browser) } ?? false
    }
}

/// Seals login pages into handles, and opens handles.
struct LoginPageHandles: Sendable {
    /// The time for which a handle opens after its login has expired, so that the page can say so and begin again.
    private static let restartTime: Duration = .seconds(60 * 60)
    /// The largest content in bytes, so that the address fits into a request line of 8 KiB, which proxies permit.
    private static let byteCountLimit = 5 * 1024

    private let sealer: JSONSealer

    init(keyring: MasterKeyring) { sealer = JSONSealer(keyring: keyring, for: .loginPage) }

    /// - Throws: ``Refusal`` `malformed` if the authorization request is too large.
    func seal(_ content: LoginPageContent) throws(Refusal) -> LoginPageHandle {
        let plaintext = StrictJSON.encode(content)
        guard plaintext.count <= Self.byteCountLimit else {
            throw .malformed(detail: "The authorization request is too large for the login page.")
        }
        guard let text = sealer.seal(plaintext) else { throw .internalError }
        return LoginPageHandle(text)
    }

    /// The content of `handle`; nil if it is not from this relying party, or too old.
    func open(_ handle: LoginPageHandle, at now: NumericDate) -> LoginPageContent? {
        guard let content: LoginPageContent = sealer.open(handle.text),
            now <= content.offer.expiresAt + Self.restartTime
        else { return nil }
        return content
    }
}
