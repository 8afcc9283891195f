import NightlatchRelyingParty
import NightlatchWire

/// A user in the list of users.
struct ShownUser: Sendable {
    let id: String
    let address: String
    let createdAt: ShownTime
    let password: String
    let active: Int
    let blocked: Int
    let revoked: Int

    init(_ user: UserRecord, links: ConsoleLinks) {
        id = user.id.rawValue
        address = links.user(user.id)
        createdAt = ShownTime(user.createdAt)
        password = user.hasPassword ? "set" : "not set"
        (active, blocked, revoked) = (user.devices.active, user.devices.blocked, user.devices.revoked)
    }
}

/// A device in the list of all users' devices.
struct ListedDevice: Sendable {
    let device: ShownDevice
    let user: String
    let userAddress: String
    let client: String

    init(_ device: DeviceRecord, links: ConsoleLinks) {
        self.device = ShownDevice(device, links: links)
        user = device.user.rawValue
        userAddress = links.user(device.user)
        client = device.client.rawValue
    }
}

/// A transaction in the list of all users' transactions.
struct ListedTransaction: Sendable {
    let transaction: ShownTransaction
    let user: String
    let userAddress: String

    init(_ transaction: RecordedTransaction, links: ConsoleLinks) {
        self.transaction = ShownTransaction(transaction, links: links)
        user = transaction.user.rawValue
        userAddress = links.user(transaction.user)
    }
}

/// A remote login in the list of those that wait.
struct ListedRemoteLogin: Sendable {
    let user: String
    let userAddress: String
    let client: String
    /// Who asked for the login.
    let origin: String
    let requestedAt: ShownTime
    let expiresAt: ShownTime

    init(_ login: RemoteLogin, links: ConsoleLinks) {
        user = login.user.rawValue
        userAddress = links.user(login.user)
        client = login.details.client.rawValue
        origin = login.originInWords
        requestedAt = ShownTime(login.details.requestedAt)
        expiresAt = ShownTime(login.details.expiresAt)
    }
}

extension RemoteLogin {
    /// Who asked for the login.
    var originInWords: String {
        if isClaimed { return "the user, by scanning the login page" }
        return details.hasNumber ? "the login page, for an entered name" : "the app’s backend"
    }
}
