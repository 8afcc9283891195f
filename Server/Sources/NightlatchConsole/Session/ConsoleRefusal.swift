import HTTPTypes
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// A refusal of the console. Nothing was changed.
enum ConsoleRefusal: Error, Hashable, Sendable {
    /// The request has no session.
    case signedOut
    /// The session expired, was signed out, or is not genuine.
    case sessionEnded
    /// The input is not the admin key.
    case adminKeyRefused
    /// The form does not belong to this session, or comes from another site.
    case formRefused
    /// The phone has not confirmed the sign-in, or the sign-in was used already, or its device is stopped.
    case signInEnded
    /// The user who confirmed a sign-in is no operator.
    case noOperator
    /// The role of the operator does not have what the page or action needs.
    case roleMissing(ConsoleNeed, OperatorRole)
    /// The reason of an action is missing, or is no reason.
    case reasonMissing
    /// The input is not a valid device name.
    case deviceNameRefused
    /// A rule about operators refuses the change.
    case operatorRefused(AdministrationError)
    /// The device was revoked or replaced, which is permanent.
    case deviceRevoked
    /// A refusal that other routes share.
    case refused(Refusal)
    /// An HTTP error of the request, such as a body that is too large.
    case unreadable(HTTPRefusal)

    /// The status of the page that explains the refusal.
    var status: HTTPResponse.Status {
        switch self {
        case .signedOut, .sessionEnded, .adminKeyRefused, .formRefused, .noOperator, .roleMissing: .forbidden
        case .signInEnded: .notFound
        case .deviceNameRefused, .reasonMissing: .unprocessableContent
        case .deviceRevoked, .operatorRefused: .conflict
        case .refused(let refusal): RefusalAnswer(refusal).status
        case .unreadable(let refusal): RefusalAnswer(refusal).status
        }
    }

    /// The heading of that page.
    var heading: String {
        switch self {
        case .signedOut, .sessionEnded: "Sign in"
        case .adminKeyRefused: "The admin key is wrong"
        case .formRefused: "The form was not accepted"
        case .signInEnded: "This sign-in has ended"
        case .noOperator: "You are no operator"
        case .roleMissing: "Your role does not allow this"
        case .reasonMissing: "A reason is missing"
        case .deviceNameRefused: "This name is not allowed"
        case .operatorRefused: "The operator was not changed"
        case .deviceRevoked: "The device is revoked"
        case .refused(.notFound): "Not found"
        case .refused(.malformed), .unreadable(.bodyTooLarge): "The address or form cannot be read"
        case .refused(.rateLimited): "Too many requests"
        case .refused(.transactionConfirmed), .refused(.transactionRejected), .refused(.transactionExpired),
            .refused(.transactionVoided):
            "The transaction has ended already"
        case .refused(let refusal) where refusal.code == .unavailable: "Not available now"
        case .refused, .unreadable: "The request was refused"
        }
    }

    /// The sentence for the operator.
    var sentence: String {
        switch self {
        case .signedOut: "Sign in to continue."
        case .sessionEnded: "Your session has ended, and nothing was changed. Sign in to continue."
        case .adminKeyRefused: "Sign-in failed. The admin key is in the server’s file or setting."
        case .formRefused:
            "It came from another session or another site, so nothing was changed. Go back, reload and try again."
        case .signInEnded: "Your phone has not confirmed it, or it was used already. Go to the overview to sign in again."
        case .noOperator:
            "Your phone has confirmed the sign-in, but its user is no operator of this server. An owner can add one."
        case .roleMissing(let need, let role):
            "This needs the role \(need.leastRole.rawValue), and yours is \(role.rawValue). Nothing was changed. An owner can change your role."
        case .reasonMissing:
            "This needs a reason of \(AuditReasonRule.requirement). Nothing was changed. Go back and enter one."
        case .deviceNameRefused:
            "A name has 1 to 64 characters, one of them visible, and no control characters. Nothing was changed."
        case .operatorRefused(let error): Self.sentence(of: error)
        case .deviceRevoked: "It was revoked or replaced already, and that cannot be undone. Nothing was changed."
        case .refused(.notFound):
            "There is no such page, user, device, key, transaction, app or webhook. It may have been removed."
        case .refused(.malformed): "Nothing was changed. Start from the overview."
        case .refused(let refusal): RefusalAnswer(refusal).sentence
        case .unreadable(let refusal): RefusalAnswer(refusal).sentence
        }
    }
}

extension ConsoleRefusal {
    private static func sentence(of error: AdministrationError) -> String {
        switch error {
        case .alreadyOperator(let role): "This user is an operator already, with the role \(role.rawValue)."
        case .operatorNameTaken: "Another operator has this name. Choose another one."
        case .tooManyOperators: "There are \(Operator.countLimit) operators, which is the maximum. Remove one."
        default: "This is the only owner. Make another operator an owner first."
        }
    }

    /// Creates the console's refusal for an error; nil if the error is no refusal.
    init?(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = .refused(refusal)
        case let refusal as HTTPRefusal: self = .unreadable(refusal)
        default: return nil
        }
    }

    init(_ error: AdministrationError) {
        switch error {
        case .userUnknown, .deviceUnknown, .transactionUnknown: self = .refused(.notFound)
        case .deviceRevoked: self = .deviceRevoked
        case .transactionEnded(let state): self = .refused(Refusal(ended: state) ?? .internalError)
        case .appUnknown: self = .refused(.notFound)
        case .appChanged: self = .refused(.appChanged)
        case .tooManyApps: self = .refused(.tooManyApps)
        case .apiKeyUnknown: self = .refused(.notFound)
        case .apiKeyNameTaken: self = .refused(.apiKeyNameTaken)
        case .tooManyAPIKeys: self = .refused(.tooManyAPIKeys)
        case .apiKeyExpired: self = .refused(.expiryRefused)
        case .apiKeyCreatorEnded: self = .refused(.backendKeyRefused)
        case .apiKeyBeyondCreator: self = .refused(.apiKeyScopeMissing)
        case .webhookUnknown: self = .refused(.notFound)
        // The console neither adds webhooks nor rotates secrets.
        case .webhookChanged, .tooManyWebhooks, .noWebhookSecret: self = .refused(.internalError)
        case .operatorUnknown: self = .refused(.notFound)
        case .alreadyOperator, .operatorNameTaken, .tooManyOperators, .lastOwner: self = .operatorRefused(error)
        case .store(let error): self = .refused(.store(error))
        }
    }
}

/// Runs an operator's work on the store.
///
/// - Throws: ``ConsoleRefusal`` for each error of `work`.
func administer<Value>(_ work: () async throws(AdministrationError) -> Value) async throws(ConsoleRefusal) -> Value {
    do {
        return try await work()
    } catch {
        throw ConsoleRefusal(error)
    }
}
