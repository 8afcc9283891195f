/// What an operator may do to a device after a page that says what will happen.
enum DeviceChangeForm: CaseIterable, Sendable {
    case block
    case unblock
    case revoke

    var path: ConsolePath {
        switch self {
        case .block: .blockDevice
        case .unblock: .unblockDevice
        case .revoke: .revokeDevice
        }
    }

    /// What leads to the page, where something is asked first.
    var linkText: String {
        switch self {
        case .block: "Block…"
        case .unblock: "Unblock…"
        case .revoke: "Revoke…"
        }
    }

    /// What it comes to, beside that.
    var summary: String {
        switch self {
        case .block: "Keeps it from logging in until it is unblocked."
        case .unblock: "Lets it log in again."
        case .revoke: "Shuts it out for good."
        }
    }

    var question: String {
        switch self {
        case .block: "Block this device?"
        case .unblock: "Unblock this device?"
        case .revoke: "Revoke this device?"
        }
    }

    /// What happens, for whoever is about to let it happen.
    var effects: [String] {
        switch self {
        case .block:
            [
                "Its logins end now. Other servers take its access tokens until these expire, in minutes.",
                "It can neither log in nor decide transactions until it is unblocked.",
                "It keeps its keys, so it need not be bound again.",
            ]
        case .unblock: ["It can log in and decide transactions again. The user logs in anew."]
        case .revoke:
            [
                "Its logins end now. Other servers take its access tokens until these expire, in minutes.",
                "It can never log in again, and deletes its keys when it next tries. This cannot be undone.",
                "To go on with the same device the user has to bind it again.",
            ]
        }
    }

    var verb: String {
        switch self {
        case .block: "Block device"
        case .unblock: "Unblock device"
        case .revoke: "Revoke device"
        }
    }

    var message: ConsoleMessage {
        switch self {
        case .block: .deviceBlocked
        case .unblock: .deviceUnblocked
        case .revoke: .deviceRevoked
        }
    }
}

/// What a page names that asks before it does something.
struct ConfirmationContent: Sendable {
    let facts: [Fact]
    let effects: [String]
    let action: String
    /// What the form carries along.
    let fields: [Fact]
    let verb: String
    let isGrave: Bool
    let back: String
}
