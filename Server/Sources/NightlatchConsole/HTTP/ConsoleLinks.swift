import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The addresses of the console's pages as browsers see them. Identifiers are in the query and not in the path, because
/// a user's id may be `..`.
struct ConsoleLinks: Sendable {
    private let root: String

    init(issuer: Issuer) {
        root = issuer.path + ConsolePath.root
    }

    /// Returns the address of `path` with these query members. Percent-encodes their values.
    func link(_ path: ConsolePath, _ query: (name: String, value: String)...) -> String {
        link(path, query: query)
    }

    /// Like ``link(_:_:)``, with the members as an array.
    func link(_ path: ConsolePath, query: [(name: String, value: String)]) -> String {
        let query = query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return root + path.rawValue + (query.isEmpty ? "" : "?" + query)
    }

    func user(_ user: UserID) -> String { link(.user, ("id", user.rawValue)) }

    func device(_ device: DeviceID, of user: UserID, page: ConsolePath = .device) -> String {
        link(page, ("user", user.rawValue), ("id", device.rawValue))
    }

    func journeyKey(_ key: JourneyKeyID, of user: UserID, page: ConsolePath = .journeyKey) -> String {
        link(page, ("user", user.rawValue), ("id", key.rawValue))
    }

    func transaction(_ id: TransactionID, page: ConsolePath = .transaction) -> String {
        link(page, ("id", id.rawValue))
    }

    func app(_ id: ClientID, page: ConsolePath = .app) -> String { link(page, ("id", id.rawValue)) }
}

/// The console's paths below its root.
package enum ConsolePath: String, CaseIterable, Sendable {
    package static let root = "/console"

    case overview = ""
    case style = "/style.css"
    case signIn = "/sign-in"
    /// Begins a sign-in with a phone.
    case phoneSignIn = "/sign-in/phone"
    /// The page to which the login page leads after the phone has confirmed.
    case signedIn = "/signed-in"
    case signOut = "/sign-out"
    case find = "/find"
    case users = "/users"
    case exportUsers = "/users/export"
    case devices = "/devices"
    case exportDevices = "/devices/export"
    case transactions = "/transactions"
    case exportTransactions = "/transactions/export"
    case remoteLogins = "/remote-logins"
    case exportRemoteLogins = "/remote-logins/export"
    case exportAudit = "/audit/export"
    case user = "/user"
    case exportUser = "/user/export"
    case deleteUser = "/user/delete"
    case device = "/device"
    case revokeDevice = "/device/revoke"
    case blockDevice = "/device/block"
    case unblockDevice = "/device/unblock"
    case renameDevice = "/device/rename"
    case journeyKey = "/journey-key"
    case renameJourneyKey = "/journey-key/rename"
    case removeJourneyKey = "/journey-key/remove"
    case endJourneySessions = "/user/end-sessions"
    case transaction = "/transaction"
    case voidTransaction = "/transaction/void"
    case apps = "/apps"
    case app = "/app"
    case addApp = "/apps/add"
    case changeApp = "/app/change"
    case removeApp = "/app/remove"
    case webhooks = "/webhooks"
    case webhook = "/webhook"
    case redeliver = "/webhook/redeliver"
    case pauseWebhook = "/webhook/pause"
    case resumeWebhook = "/webhook/resume"
    case audit = "/audit"
    case policy = "/policy"
    case subjectPolicy = "/policy/of"
    case operators = "/operators"
    case addOperator = "/operators/add"
    case changeOperator = "/operators/change"
    case removeOperator = "/operators/remove"
    case operatorCode = "/operators/code"
}
