public import NightlatchWire

/// Why an attempt to deliver an event failed.
public enum WebhookFailure: String, Hashable, Sendable, CaseIterable {
    /// The receiver was not reached, or its certificate was refused, or it closed the connection.
    case unreachable
    /// The receiver did not answer in time.
    case timedOut = "timed_out"
    /// The receiver answered with a redirect, which is not followed.
    case redirected
    /// The receiver answered 410 Gone. If it repeats that, the webhook is paused.
    case gone
    /// The receiver answered with another status from 400 to 499.
    case refused = "refused_4xx"
    /// The receiver answered with a status from 500, or one that HTTP does not define.
    case failed = "failed_5xx"
    /// No secret of the webhook could be opened: it was sealed under another master key. Rotate the secret.
    case secretSealed = "secret_sealed"
    /// The audit entry of the event could not be read by this version.
    case unreadable

    /// Whether something was sent to the receiver. If not, the failure says nothing of the receiver: it does not count
    /// as one of the ``WebhookRetry/attemptLimit`` attempts, so no event dies of it.
    public var isAttempt: Bool { self != .secretSealed && self != .unreadable }

    /// The failure that an HTTP status means; nil for 200 to 299, which mean that the event was delivered.
    package init?(status: Int) {
        switch status {
        case 200...299: return nil
        case 300...399: self = .redirected
        case 410: self = .gone
        case 400...499: self = .refused
        default: self = .failed
        }
    }
}

/// An event that is to be delivered to one receiver. It is deleted once the receiver has accepted it.
public struct WebhookDelivery: Hashable, Sendable {
    /// The position in the store's order, which only grows.
    public let number: Int
    public let webhook: WebhookID
    /// The position of the event in the audit log.
    public let place: AuditPlace
    public let createdAt: NumericDate
    /// The number of attempts that have begun.
    public var attempts: Int
    /// The time of the next attempt. During an attempt, the time at which another process may repeat it.
    public var dueAt: NumericDate
    /// Why the last attempt failed, if one has.
    public var failure: WebhookFailure?
    /// The time at which the last attempt was given up; nil while the delivery is repeated.
    public var diedAt: NumericDate?

    /// Creates a delivery that is due and was not attempted.
    public init(number: Int, webhook: WebhookID, place: AuditPlace, createdAt: NumericDate) {
        self.number = number
        self.webhook = webhook
        self.place = place
        self.createdAt = createdAt
        attempts = 0
        dueAt = createdAt
    }

    /// Whether the webhook is paused because the attempt, which has just failed, and the one before it were answered
    /// with 410.
    package func pausesWebhook(after failure: WebhookFailure) -> Bool {
        failure == .gone && self.failure == .gone && attempts >= WebhookRetry.goneLimit
    }
}

/// Deliveries of one webhook that a process may attempt until its lease ends.
public struct WebhookClaim: Hashable, Sendable {
    /// The webhook as it was when the deliveries were claimed.
    public let webhook: StoredWebhook
    /// The deliveries, in their order. No two have the same ``AuditEvent/deliveryOrder(at:)``.
    public let deliveries: [Claimed]

    public init(webhook: StoredWebhook, deliveries: [Claimed]) {
        self.webhook = webhook
        self.deliveries = deliveries
    }

    /// A claimed delivery with the row of its event.
    public struct Claimed: Hashable, Sendable {
        public let delivery: WebhookDelivery
        /// The row of the event in the audit log; nil if there is none, which no verb causes.
        public let row: AuditRow?

        public init(delivery: WebhookDelivery, row: AuditRow?) {
            self.delivery = delivery
            self.row = row
        }
    }
}

/// The result of an attempt.
public enum WebhookResult: Hashable, Sendable {
    /// The receiver has accepted the event.
    case delivered
    /// The attempt is repeated after the wait; nil if it was the last.
    case failed(WebhookFailure, wait: Duration?)
}

/// The deliveries of one webhook in figures.
public struct WebhookFigures: Hashable, Sendable {
    /// The number of events that wait or are repeated, up to ``countLimit``.
    public var waiting: Int
    /// The number of dead letters, up to ``countLimit``.
    public var dead: Int
    /// The time of the oldest event that waits or is repeated.
    public var oldest: NumericDate?

    /// The largest number that is counted.
    public static let countLimit = 10_000

    public init(waiting: Int = 0, dead: Int = 0, oldest: NumericDate? = nil) {
        self.waiting = waiting
        self.dead = dead
        self.oldest = oldest
    }
}

extension AuditEvent {
    /// The name of the order in which the event is delivered: a receiver gets events with the same name one after the
    /// other.
    ///
    /// It is the user's id, so the order of a user's devices is included. Events about no user have one order. Each test
    /// has its own, so it waits for no other event. Its name begins with a space, as no user's id does.
    ///
    /// - Parameter place: The place of the event in the audit log.
    package func deliveryOrder(at place: AuditPlace) -> String {
        if kind == .webhookTested { return " test \(place.chain) \(place.sequence)" }
        return filedUnder?.rawValue ?? device?.rawValue ?? ""
    }
}
