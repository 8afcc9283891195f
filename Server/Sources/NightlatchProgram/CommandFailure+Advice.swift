package import Nightlatch
import NightlatchWire

/// Turns errors of the client library into messages for a terminal. A message names the next command, if one helps.
extension CommandFailure {
    package init(_ error: some AdvisedError) {
        let cause = error.rootCause
        let guidance = error.guidance
        let sentence = Self.sentence(of: cause) ?? ErrorStrings.terminal[guidance.summary]
        let hint = Self.saysAll(cause) ? "" : Self.hint(guidance)
        self.init(CommandExit(guidance, cause: cause), hint.isEmpty ? sentence : "\(sentence) \(hint)")
    }

    /// Whether the sentence about the cause already says what to do.
    private static func saysAll(_ cause: any AdvisedError) -> Bool {
        switch cause {
        case is StoreError, is BindingError: true
        case let error as VaultError: error.isAboutRecord
        default: refusal(in: cause) != nil || objections(in: cause) != nil
        }
    }

    /// Returns a sentence with details that only the error itself has; nil if the summary says it all.
    private static func sentence(of cause: any AdvisedError) -> String? {
        switch cause {
        case let error as StoreError: "The vault cannot be used: \(error)."
        case let error as VaultError where error.isAboutRecord: "The vault cannot be used: \(error)."
        case let error as DeviceKeyError: "A key of this device cannot be used: \(error)."
        case let error as PinChipError: "The chip could not check the PIN: \(error)."
        case PinHardenerError.refused(let refusal) as PinHardenerError: sentence(of: refusal)
        case let error as RelyingPartyError: sentence(of: error)
        case let error as BindingError: sentence(of: error)
        case LoginError.boundElsewhere(let binding) as LoginError:
            "This device is bound to \(binding.user) at \(binding.issuer), not at this server."
        case PinHardenerError.elsewhere(let device) as PinHardenerError:
            "The PIN of this vault depends on "
                + (device.account.map { "another server, \($0.issuer)." } ?? "a chip of the device that it was made on.")
        default: refusal(in: cause)?.sentence ?? objections(in: cause)?.sentence
        }
    }

    /// Returns the refusal of a PIN.
    private static func refusal(in cause: any AdvisedError) -> PinRefusal? {
        switch cause {
        case UnlockError.refused(let refusal) as UnlockError: refusal
        case ChangePinError.refused(let refusal) as ChangePinError: refusal
        case WalletSigningError.refused(let refusal) as WalletSigningError: refusal
        case DecisionError.refused(let refusal) as DecisionError: refusal
        default: nil
        }
    }

    /// Returns the objections to a new PIN; nil for every other error.
    private static func objections(in cause: any AdvisedError) -> [PinObjection]? {
        switch cause {
        case CreateVaultError.pinRefused(let objections) as CreateVaultError: objections
        case ChangePinError.newPinRefused(let objections) as ChangePinError: objections
        case SetPinError.pinRefused(let objections) as SetPinError: objections
        case RecoveryError.newPinRefused(let objections) as RecoveryError: objections
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
        case .unintelligible(let status): "The answer is not from a Nightlatch server (HTTP \(status))."
        case .refused(let refusal): sentence(of: refusal)
        case .cancelled: nil
        }
    }

    private static func sentence(of error: BindingError) -> String? {
        switch error {
        case .alreadyBound(let binding):
            "This device is already bound, to \(binding.user) at \(binding.issuer), and not at this server. "
                + "`nightlatch bind --replace` erases the vault and starts over."
        case .codeOfAnotherUser(let user):
            "The code is for \(user), and this device is bound to another user. Nothing was changed. Get a code for that "
                + "user."
        case .superseded:
            "Another program has begun a binding or ended this one. Run the command again with a new code."
        case .vault, .key, .relyingParty: nil
        }
    }

    /// Returns a sentence with the next step; empty if there is none.
    private static func hint(_ guidance: ErrorGuidance) -> String {
        switch guidance.advice {
        case .tryLater(after: nil) where guidance.summary == .deviceBlocked: ""
        case .tryLater(after: nil) where guidance.summary == .nothingFound: "Run `nightlatch bind` first."
        case .bindAgain where guidance.summary == .deviceUnknown: ""
        case .bindAgain where guidance.summary == .notBound: "Run `nightlatch bind` first."
        case .bindAgain where guidance.summary == .deviceRevoked:
            "Run `nightlatch bind` with a new code: it binds the device again and keeps the vault."
        case .tryAgain, .checkNetwork, .askForPin: "Try again."
        case .tryLater(after: nil): "Try again later."
        case .tryLater(after: let wait?): "Try again in \(wait.inWords)."
        case .signIn where guidance.summary == .codeNeeded: "Run the command again with --code."
        case .signIn where guidance.summary == .credentialsRefused: ""
        case .bindAgain where guidance.summary == .codeRefused: ""
        case .signIn, .bindAgain: "`nightlatch bind --replace` starts over, with a new code."
        case .freeSpace: "Free some space or memory and try again."
        case .updateApp: "Update this program."
        case .askForPhrase, .restoreAccess, .defect, .nothing: ""
        }
    }
}

extension VaultError {
    /// Whether the error's description says what is wrong with the vault's record.
    fileprivate var isAboutRecord: Bool {
        switch code {
        case .corrupt, .newerFormat, .unacceptableKeyDerivation, .noRecordKey, .tooLarge: true
        case .locked, .superseded, .reservedName, .unavailable, .conflict, .full, .refused, .notPrepared,
            .keyDerivation,
            .noHardener, .hardener:
            false
        }
    }
}

extension ErrorStrings {
    /// English, with the words and problem codes that a terminal user can search for.
    package static let terminal = english.replacing { summary in
        switch summary {
        case .nothingFound: "There is no vault here."
        case .locked: "The vault is locked."
        case .changedMeanwhile: "Another program changed this at the same time."
        case .memoryFull: "There is too little free memory to check a PIN."
        case .pinBlocked: "The PIN is blocked: no PIN opens this vault any more."
        case .phraseNeeded: Unblocking.recoveryPhrase.sentence
        case .codeNeeded: "The server gives a new key for the PIN only for an enrolment code."
        case .outdated: "This is an old copy of the vault: the server now has another key for its PIN."
        case .notTheService:
            "The answer is not from the server that this device's PIN depends on. It was not used."
        case .notBound: "This device is not bound."
        case .deviceUnknown:
            "The server refused this device's login (message_refused): it does not know the device or its user. If the "
                + "server was restored from a backup, get a new code and run `nightlatch bind`: it binds the device again "
                + "and keeps the vault."
        case .deviceRevoked:
            "This device was revoked, or another one has replaced it (device_revoked or device_replaced). Its keys are deleted."
        case .deviceBlocked:
            "This device is blocked (device_blocked). Its keys are kept; it can log in again once it is unblocked."
        case .transactionConfirmed: "This transaction was already confirmed."
        case .transactionRejected: "This transaction was already rejected."
        case .transactionVoided: "This transaction was voided."
        case .transactionExpired: "This transaction expired before it was decided."
        case .transactionChanged:
            "The shown transaction differs from the server's (transaction_changed). Nothing was decided. Check it again."
        case .transactionCannotBeShown:
            "This transaction has a text that cannot be shown. Nothing was decided. It can only be rejected (--reject)."
        default: nil
        }
    }
}

extension CommandExit {
    /// Maps advice to an exit code (docs/errors.md, "Exit codes of the command").
    fileprivate init(_ guidance: ErrorGuidance, cause: any AdvisedError) {
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
