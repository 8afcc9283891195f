/// A change to a device that an operator confirms on a page that explains the effects.
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

    /// The text of the link to the confirmation page.
    var linkText: String {
        switch self {
        case .block: "Block…"
        case .unblock: "Unblock…"
        case .revoke: "Revoke…"
        }
    }

    /// The sentence beside the link.
    var summary: String {
        switch self {
        case .block: "Keeps it from logging in until it is unblocked."
        case .unblock: "Lets it log in again."
        case .revoke: "Revokes it permanently."
        }
    }

    var question: String {
        switch self {
        case .block: "Block this device?"
        case .unblock: "Unblock this device?"
        case .revoke: "Revoke this device?"
        }
    }

    /// The effects of the change, for the operator who confirms it.
    var effects: [String] {
        switch self {
        case .block:
            [
                "Its logins end now. Other servers take its access tokens until these expire, in minutes.",
                "It can neither log in nor decide transactions until it is unblocked.",
                "It keeps its keys, so it need not be bound again.",
            ]
        case .unblock: ["It can log in and decide transactions again. The user must log in again."]
        case .revoke:
            [
                "Its logins end now. Other servers take its access tokens until these expire, in minutes.",
                "It can never log in again, and deletes its keys the next time it tries. This cannot be undone.",
                "To keep using the device, the user has to bind it again.",
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

/// The values for the confirmation template.
struct ConfirmationContent: Sendable {
    let facts: [Fact]
    let effects: [String]
    let action: String
    /// The hidden fields of the form.
    let fields: [Fact]
    let verb: String
    let isGrave: Bool
    /// Whether the form is refused without a reason.
    var isReasonRequired = true
    let back: String
}
