import NightlatchWire

/// Ready-made push messages that tell a user's devices that something waits for a decision.
///
/// The app's backend has the push tokens of the devices. It sends `apns` to Apple and `fcm` to Google as they are. They
/// have no content: no amount, no payee, no name, and no id of the user. The app asks the relying party what waits.
struct PushPayloads: Encodable {
    /// What waits for a decision.
    private enum Waiting: String {
        case transaction
        case remoteLogin = "remote_login"

        /// The key of the text that an iPhone shows. The app translates it.
        var textKey: String {
            switch self {
            case .transaction: "nightlatch_transaction_waits"
            case .remoteLogin: "nightlatch_login_waits"
            }
        }
    }

    private let waiting: Waiting
    private let transaction: TransactionID?

    /// Creates the payloads for `event`. Returns nil if the event makes nothing wait. If a device has opened a remote
    /// login, the device knows of it already.
    init?(_ event: AuditEvent) {
        switch event.kind {
        case .transactionCreated: waiting = .transaction
        case .remoteLoginRequested where event.actor != .device: waiting = .remoteLogin
        default: return nil
        }
        transaction = event.transaction
    }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("apns", APNs(payloads: self))
        try members.add("fcm", FCM(payloads: self))
    }

    /// The members that tell the app what waits. FCM requires that their values are strings.
    private func addFacts(to members: inout JSONObjectWriter) throws {
        try members.addIfPresent("nightlatch_transaction", transaction)
        try members.add("nightlatch_waiting", waiting.rawValue)
    }

    /// The payload of the Apple Push Notification service.
    private struct APNs: Encodable {
        let payloads: PushPayloads

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("aps", Aps(textKey: payloads.waiting.textKey))
            try payloads.addFacts(to: &members)
        }

        struct Aps: Encodable {
            let textKey: String

            func encode(to encoder: any Encoder) throws {
                var members = JSONObjectWriter(encoder)
                try members.add("alert", ["loc-key": textKey])
                try members.add("content-available", 1)
                try members.add("sound", "default")
            }
        }
    }

    /// The members `android` and `data` of a message of Firebase Cloud Messaging.
    private struct FCM: Encodable {
        let payloads: PushPayloads

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("android", ["priority": "high"])
            try members.add("data", Facts(payloads: payloads))
        }

        struct Facts: Encodable {
            let payloads: PushPayloads

            func encode(to encoder: any Encoder) throws {
                var members = JSONObjectWriter(encoder)
                try payloads.addFacts(to: &members)
            }
        }
    }
}
