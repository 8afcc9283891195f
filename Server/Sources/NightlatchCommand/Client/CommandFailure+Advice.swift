import Nightlatch
import NightlatchProgram
import NightlatchWire

/// Turns errors of the client library into messages for a terminal. A message names the next command, if one helps.
extension CommandFailure {
    init(_ error: some AdvisedError) {
        let cause = Self.cause(of: error)
        let guidance = error.guidance
        let sentence = Self.sentence(of: cause) ?? ErrorStrings.terminal[guidance.summary]
        let hint = Self.saysAll(cause) ? "" : Self.hint(guidance)
        self.init(CommandExit(guidance, cause: cause), hint.isEmpty ? sentence : "\(sentence) \(hint)")
    }

    /// Returns the innermost error that has a message for people.
    private static func cause(of value: Any) -> Any {
        guard let inner = Mirror(reflecting: value).children.first?.value else { return value }
        switch inner {
        case is any AdvisedError, is RelyingPartyRefusal, is PinRefusal, is [PinObjection]: return cause(of: inner)
        default: return value
        }
    }

    /// Whether the sentence about the cause already says what to do.
    private static func saysAll(_ cause: Any) -> Bool {
        switch cause {
        case is PinRefusal, is [PinObjection], is StoreError, is VaultRecordError, is BindingError: true
        default: false
        }
    }

    /// Returns a sentence with details that only the error itself has; nil if the summary says it all.
    private static func sentence(of cause: Any) -> String? {
        switch cause {
        case let refusal as PinRefusal: refusal.sentence
        case let objections as [PinObjection]: objections.sentence
        case let error as StoreError: "The vault cannot be used: \(error)."
        case let error as VaultRecordError: "The vault cannot be used: \(error)."
        case let error as DeviceKeyError: "A key of this device cannot be used: \(error)."
        case let error as PinChipError: "The chip had no part in the PIN: \(error)."
        case let refusal as RelyingPartyRefusal: sentence(of: refusal)
        case let error as RelyingPartyError: sentence(of: error)
        case let error as BindingError: sentence(of: error)
        case LoginError.boundElsewhere(let binding) as LoginError:
            "This device is bound to \(binding.user) at \(binding.issuer), not with this server."
        case PinHardenerError.elsewhere(let device) as PinHardenerError:
            "The PIN of this vault hangs on "
                + (device.account.map { "another server, \($0.issuer)." } ?? "a chip of the device that it was made on.")
        default: nil
        }
    }

    private static func sentence(of refusal: RelyingPartyRefusal) -> String? {
        switch refusal.guidance.summary {
        case .deviceUnknown, .deviceRevoked, .deviceBlocked: return nil
        default:
            let detail = refusal.detail.map { " \($0)" } ?? ""
            return "The server refused: \(refusal.title) (\(refusal.code.rawValue), HTTP \(refusal.status))\(detail)"
        }
    }

    private static func sentence(of error: RelyingPartyError) -> String? {
        switch error {
        case .unreachable(let reason): "The server does not answer (\(reason))."
        case .unintelligible(let status): "What answered is no Nightlatch server (HTTP \(status))."
        case .refused, .cancelled: nil
        }
    }

    private static func sentence(of error: BindingError) -> String? {
        switch error {
        case .alreadyBound(let binding):
            "This device is bound already, to \(binding.user) at \(binding.issuer), and not with this server. `nightlatch register "
                + "--replace` erases the vault and begins anew."
        case .codeOfAnotherUser(let user):
            "The code is for \(user), and this device is bound to another user. Nothing was changed. Ask for a code of that user."
        case .superseded:
            "Another program has begun a binding or ended this one. Run the same with a new code."
        case .vault, .key, .relyingParty: nil
        }
    }

    /// Returns what to do, as a command.
    private static func hint(_ guidance: ErrorGuidance) -> String {
        switch guidance.advice {
        case .tryLater(after: nil) where guidance.summary == .deviceBlocked: ""
        case .tryLater(after: nil) where guidance.summary == .nothingFound: "Run `nightlatch register` first."
        case .bindAgain where guidance.summary == .deviceUnknown: ""
        case .bindAgain where guidance.summary == .notBound: "Run `nightlatch register` first."
        case .bindAgain where guidance.summary == .deviceRevoked:
            "Run `nightlatch register` with a new code: the device is bound again, and the vault stays as it is."
        case .tryAgain, .checkNetwork, .askForPin: "Try the same again."
        case .tryLater(after: nil): "Try the same again later."
        case .tryLater(after: let wait?): "Try the same again in \(wait.inWords)."
        case .signIn where guidance.summary == .codeNeeded: "Run the same with --code."
        case .signIn where guidance.summary == .credentialsRefused: ""
        case .bindAgain where guidance.summary == .codeRefused: ""
        case .signIn, .bindAgain: "`nightlatch register --replace` begins anew, with a new code."
        case .freeSpace: "Free some and try again."
        case .updateApp: "Update this program."
        case .askForPhrase, .restoreAccess, .defect, .nothing: ""
        }
    }
}

extension ErrorStrings {
    /// English, with the words and problem codes that a terminal user can search for.
    static let terminal = english.replacing { summary in
        switch summary {
        case .nothingFound: "There is no vault here."
        case .locked: "The vault was locked."
        case .changedMeanwhile: "Another program changed this at the same time."
        case .memoryFull: "There is too little free memory to work on a PIN."
        case .pinBlocked: "No PIN opens this vault any more."
        case .phraseNeeded: Unblocking.recoveryPhrase.sentence
        case .codeNeeded: "The server gives another key for the PIN only for an enrolment code."
        case .outdated: "This copy of the vault is an old one: the server has another key for its PIN by now."
        case .notTheService:
            "What answered does not have the key that this device's PIN depends on. Nothing was derived from the answer."
        case .notBound: "This device is bound to nobody."
        case .deviceUnknown:
            "The server refused this device's login (message_refused): it does not know the device or its user. If it was restored from "
                + "a backup, get a new code and run `nightlatch register`: the device is bound again, and the vault stays as it is."
        case .deviceRevoked:
            "This device was revoked, or another one has replaced it (device_revoked or device_replaced). Its keys are deleted."
        case .deviceBlocked:
            "This device is blocked (device_blocked). Its keys are kept; it can log in again once the block is undone."
        case .transactionConfirmed: "This transaction was confirmed before."
        case .transactionRejected: "This transaction was rejected before."
        case .transactionVoided: "This transaction was taken back."
        case .transactionExpired: "This transaction was not decided in time."
        case .transactionChanged:
            "What was shown is not what the server has (transaction_changed). Nothing was decided. Look at it again."
        case .transactionCannotBeShown:
            "This transaction has a text that cannot be shown. Nothing was decided; it can only be rejected (--reject)."
        default: nil
        }
    }
}

extension CommandExit {
    /// Maps advice to an exit code (docs/errors.md, "Exit codes of the command").
    fileprivate init(_ guidance: ErrorGuidance, cause: Any) {
        switch (guidance.advice, guidance.summary) {
        case (.checkNetwork, .pinTriedHereOnly): self = .refused
        case (.checkNetwork, .notTheService): self = cause is PinHardenerError ? .refused : .unavailable
        case (.tryLater, .deviceBlocked), (.tryLater, .nothingFound), (.tryLater, .pinWaiting), (.tryLater, .wrongPin):
            self = .refused
        case (.tryAgain, _): self = cause is StoreError ? .unavailable : .refused
        case (.defect, .serviceFailed): self = .unavailable
        case (.defect, .internalFault): self = .defect
        case (.tryLater, _), (.checkNetwork, _), (.freeSpace, _), (.restoreAccess, _): self = .unavailable
        case (.defect, _), (.askForPin, _), (.signIn, _), (.askForPhrase, _), (.bindAgain, _), (.updateApp, _),
            (.nothing, _):
            self = .refused
        }
    }
}
