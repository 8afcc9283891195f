import Foundation
import Nightlatch
import NightlatchWire
import Testing

@Suite("Advice on errors")
struct AdviceTests {
    @Test(
        "An error has the advice for its innermost cause",
        arguments: [
            (UnlockError.refused(.wrong(triesLeft: 3, wait: nil)), .tryAgain),
            (UnlockError.refused(.waiting(.seconds(5), triesLeft: 3)), .tryLater(after: .seconds(5))),
            (UnlockError.refused(.blocked(.newCredentials)), .signIn),
            (UnlockError.refused(.blocked(.recoveryPhrase)), .askForPhrase),
            (UnlockError.refused(.erased), .bindAgain),
            (UnlockError.vault(.notPrepared(.memoryUnavailable(byteCount: 1))), .freeSpace),
            (UnlockError.cancelled, .nothing),
            (
                ChangePinError.rekey(.hardener(.unavailable(.unreachable(reason: "")))),
                .checkNetwork
            ),
            (ChangePinError.registry(RegistryError(.profiles, .newerFormat(found: 9, newestKnown: 1))), .updateApp),
            (SetPinError.recoveryPhraseNeeded, .askForPhrase),
            (
                RegistrationError<BindingError>.completion(.relyingParty(refusal(.enrolmentCodeRefused, 403))),
                .bindAgain
            ),
            (RegistrationError<Never>.create(.store(StoreError(.full))), .freeSpace),
            (LocalAuthError.vault(.store(StoreError(.refused))), .restoreAccess),
            (LocalAuthError.vault(.store(StoreError(.unavailable))), .tryLater(after: nil)),
            (LocalAuthError.vault(.store(StoreError(.unavailable, reason: .overtaken(times: 8)))), .tryAgain),
            (LocalAuthError.vault(.store(StoreError(.corrupt))), .bindAgain),
            (LocalAuthError.vault(.noHardener), .defect(code: "no-hardener")),
            (LocalAuthError.vault(.hardener(.destroyed)), .signIn),
            (LoginError.vault(.locked), .askForPin), (LoginError.notBound, .bindAgain),
            (LoginError.key(DeviceKeyError(.absent)), .bindAgain), (LoginError.blocked, .tryLater(after: nil)),
            (LoginError.relyingParty(.unintelligible(status: 302)), .checkNetwork),
            (BiometricUnlockError.biometrics(.unavailable(.permissionDenied)), .restoreAccess),
            (BiometricUnlockError.biometrics(.notRecognised), .askForPin),
            (BiometricSetupError.biometrics(.unavailable(.notEnrolled)), .restoreAccess),
            (BiometricUnlockError.notPermitted, .askForPin), (BiometricSetupError.notPermitted, .askForPin),
            (PolicyError.corrupt, .nothing), (PolicyError.refused(.wrongSignature), .bindAgain),
            (PolicyError.refused(.noPinnedKey), .bindAgain),
            (BiometricLoginError.unlock(.biometrics(.enrolmentChanged)), .signIn),
            (DeregistrationError.deviceKey(DeviceKeyError(.corrupt)), .tryLater(after: nil)),
            (DecisionError.ended(.confirmed), .nothing), (DecisionError.changed, .tryAgain),
            (DecisionError.remoteLoginEnded, .nothing), (DecisionError.remoteLoginChanged, .tryAgain),
            (DecisionError.numberWrong, .nothing), (DecisionError.numberMissing, .tryAgain),
            (DecisionError.numberUnexpected, .defect(code: "remote-login-number")),
            (RecoveryPhraseError.checksum, .tryAgain),
        ] as [(any AdvisedError, Advice)])
    func advice(error: any AdvisedError, advice: Advice) {
        #expect(error.advice == advice)
        #expect(Advice(for: error) == advice)
    }

    @Test(
        "An error names its cause, and the innermost one, which may be the error itself",
        arguments: [
            (LoginError.notBound, [] as [any AdvisedError]),
            (StoreError(.full), [] as [any AdvisedError]),
            (RegistrationError<BindingError>.completion(.superseded), [BindingError.superseded] as [any AdvisedError]),
            (
                ChangePinError.rekey(.hardener(.store(StoreError(.full)))),
                [
                    VaultError.hardener(.store(StoreError(.full))), PinHardenerError.store(StoreError(.full)),
                    StoreError(.full),
                ] as [any AdvisedError]
            ),
        ] as [(any AdvisedError, [any AdvisedError])])
    func causes(error: any AdvisedError, causes: [any AdvisedError]) {
        var found: [any AdvisedError] = []
        while let cause = (found.last ?? error).cause, found.count < 10 { found.append(cause) }
        #expect(found.map { "\($0)" } == causes.map { "\($0)" })
        #expect("\(error.rootCause)" == "\(causes.last ?? error)")
    }

    @Test("Every error inside another one is named as its cause", arguments: nested)
    func everyCause(error: any AdvisedError) throws {
        let inner = Mirror(reflecting: error).children.first?.value as? any AdvisedError
        #expect("\(try #require(inner))" == error.cause.map { "\($0)" })
    }

    /// Each case of an error type of this module that contains another error.
    private static let nested: [any AdvisedError] = [
        AuthenticatorError.registry(.notRegistered),
        AuthenticatorError.unlock(.noHardener),
        AuthenticatorError.vault(.locked),
        AuthenticatorError.biometrics(.cancelled),
        AuthenticatorError.preference(.notRegistered),
        BindingError.vault(.locked),
        BindingError.key(DeviceKeyError(.absent)),
        BindingError.relyingParty(.cancelled),
        BiometricSetupError.vault(.locked),
        BiometricSetupError.biometrics(.cancelled),
        BiometricUnlockError.biometrics(.cancelled),
        BiometricUnlockError.vault(.corrupt),
        ChangePinError.unlock(.corrupt),
        ChangePinError.vault(.locked),
        ChangePinError.rekey(.superseded),
        ChangePinError.registry(.notRegistered),
        CreateVaultError.vault(.corrupt),
        DecisionError.biometrics(.cancelled),
        DecisionError.unlock(.corrupt),
        DecisionError.registry(.notRegistered),
        DecisionError.vault(.locked),
        DecisionError.key(DeviceKeyError(.absent)),
        DecisionError.relyingParty(.cancelled),
        DeregistrationError.registry(RegistryError(.profiles, .corrupt)),
        DeregistrationError.vault(.corrupt),
        DeregistrationError.biometrics(.cancelled),
        DeregistrationError.deviceKey(DeviceKeyError(.absent)),
        EraseVaultError.vault(.corrupt),
        EraseVaultError.biometrics(.cancelled),
        ForgetBindingError.key(DeviceKeyError(.absent)),
        ForgetBindingError.vault(.locked),
        FullCredentialsError.vault(.locked),
        FullCredentialsError.relyingParty(.cancelled),
        LocalAuthError.registry(.notRegistered),
        LocalAuthError.vault(.corrupt),
        LoginError.vault(.locked),
        LoginError.key(DeviceKeyError(.absent)),
        LoginError.relyingParty(.cancelled),
        PinHardenerError.unavailable(.cancelled),
        PinHardenerError.chip(.otherChip),
        PinHardenerError.store(StoreError(.full)),
        PinHardenerError.key(DeviceKeyError(.absent)),
        RecoveryError.vault(.corrupt),
        RecoveryError.rekey(.superseded),
        RecoveryError.registry(.notRegistered),
        RecoverySetupError.vault(.locked),
        RegistrationError<BindingError>.registry(.notRegistered),
        RegistrationError<BindingError>.vault(.corrupt),
        RegistrationError<BindingError>.create(.corrupt),
        RegistrationError<BindingError>.completion(.superseded),
        SessionError.key(DeviceKeyError(.absent)),
        SessionError.relyingParty(.cancelled),
        SetPinError.vault(.locked),
        SetPinError.rekey(.superseded),
        SetPinError.registry(.notRegistered),
        UnlockError.vault(.corrupt),
        UserKeyError.noPin(.notDigits),
        UserKeyError.biometrics(.cancelled),
        UserKeyError.key(DeviceKeyError(.absent)),
        UserKeyError.vault(.corrupt),
        UserKeyError.registry(RegistryError(.userKeys, .corrupt)),
        WalletKeyError.vault(.locked),
        WalletSigningError.unlock(.corrupt),
        WalletSigningError.vault(.locked),
    ]

    @Test("An error with a code has the advice and the text of its cause", arguments: coded)
    func codedCause(error: any AdvisedError, cause: any AdvisedError) throws {
        let found = try #require(error.cause)
        #expect("\(found)" == "\(cause)")
        #expect(error.guidance == cause.guidance)
        for strings in ErrorStrings.all { #expect(error.text(in: strings) == cause.text(in: strings)) }
    }

    @Test(
        "The guidance for an error names the same cause as the error",
        arguments: nested + coded.map(\.0) + otherAdvice)
    func guidanceCause(error: any AdvisedError) throws {
        let cause = try #require(error.cause)
        #expect(error.guidance.cause.map { "\($0)" } == "\(cause)")
    }

    /// Codes whose advice differs from that of their cause.
    private static let otherAdvice: [any AdvisedError] = [
        VaultError.store(StoreError(.corrupt)), BiometricLoginError.unlock(.vault(.locked)),
    ]

    /// Each code that has a cause.
    private static let coded: [(any AdvisedError, any AdvisedError)] =
        StoreError.Code.allCases.filter { $0 != .corrupt }.map { code in
            (VaultError.store(StoreError(code)), StoreError(code))
        }
        + StoreError.Code.allCases.map { (RegistryError(.profiles, StoreError($0)), StoreError($0)) } + [
            (
                VaultError.notPrepared(.memoryUnavailable(byteCount: 1)),
                KeyDerivationFailure.memoryUnavailable(byteCount: 1)
            ),
            (VaultError.keyDerivation(.system(status: 1)), KeyDerivationFailure.system(status: 1)),
            (VaultError.hardener(.destroyed), PinHardenerError.destroyed),
            (
                BiometricLoginError.record(RegistryError(.biometricLogin, .corrupt)),
                RegistryError(.biometricLogin, .corrupt)
            ),
            (BiometricLoginError.setUp(.noKeyring), BiometricSetupError.noKeyring),
            (BiometricLoginError.unlock(.noVault), BiometricUnlockError.noVault),
            (BiometricLoginError.binding(.superseded), BindingError.superseded),
            (BiometricLoginError.login(.notBound), LoginError.notBound),
            (BiometricLoginError.revocation(.relyingParty(.cancelled)), SessionError.relyingParty(.cancelled)),
            (BiometricLoginError.removal(.vault(.locked)), ForgetBindingError.vault(.locked)),
            (BiometricLoginError.vault(.locked), VaultError.locked),
        ]

    private static func refusal(
        _ code: ProblemCode, _ status: Int, retryAfter: Duration? = nil
    ) -> RelyingPartyError {
        .refused(RelyingPartyRefusal(code: code, status: status, title: "", retryAfter: retryAfter))
    }

    @Test("A busy service says when to try again; a service that failed has decided nothing")
    func service() {
        #expect(Self.refusal(.rateLimited, 429, retryAfter: .seconds(7)).advice == .tryLater(after: .seconds(7)))
        #expect(Self.refusal(.unavailable, 503).advice == .tryLater(after: nil))
        #expect(Self.refusal(ProblemCode(rawValue: "new"), 502).advice == .tryLater(after: nil))
        #expect(Self.refusal(ProblemCode(rawValue: "new"), 403).advice == .defect(code: "new"))
    }

    @Test("Each problem code of a user's request has its own text, and a defect is reported by its code")
    func problemCodes() {
        for code in ProblemCode.all {
            let guidance = RelyingPartyRefusal(code: code, status: 403, title: "").guidance
            if case .defect(let reported) = guidance.advice { #expect(reported == code.rawValue) }
        }
        // The codes that only an app's backend or a defective client gets.
        let reported = ProblemCode.all.filter { code in
            if case .defect = RelyingPartyRefusal(code: code, status: 403, title: "").guidance.advice {
                true
            } else {
                false
            }
        }
        #expect(
            Set(reported) == [
                .malformedRequest, .notFound, .methodNotAllowed, .unsupportedMediaType, .bodyTooLarge,
                .backendKeyRefused, .transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .expiryRefused,
                .appChanged, .tooManyApps,
                .apiKeyScopeMissing, .apiKeyNameTaken, .tooManyAPIKeys, .deviceEnded, .policyChanged,
                .blindedElementRefused, .pinNotEnrolled, .internalError,
            ])
    }

    @Test("A cancel of the user or of the task is told from every other error in one word")
    func cancels() {
        let cancels: [any AdvisedError] = [
            UnlockError.cancelled, DecisionError.cancelled, BiometricError.cancelled,
            DecisionError.biometrics(.cancelled), RelyingPartyError.cancelled,
        ]
        for error in cancels { #expect(error.isCancel, "\(error)") }
        #expect(ErrorGuidance(of: CancellationError()).isCancel)
        let others: [any AdvisedError] = [
            UnlockError.noVault, DecisionError.ended(.confirmed), BiometricError.notRecognised, SetPinError.hasPin,
            // The user wants to enter the PIN instead.
            BiometricError.pinChosen,
        ]
        for error in others { #expect(!error.isCancel, "\(error)") }
    }

    @Test("An error of another package is a defect, named by its type; a cancelled task needs no advice")
    func foreign() {
        struct Foreign: Error { let secret = "1234" }
        #expect(Advice(for: Foreign()) == .defect(code: "Foreign"))
        #expect(Advice(for: CancellationError()) == .nothing)
        #expect(ErrorGuidance(of: CancellationError()).summary == .cancelled)
        #expect(!ErrorGuidance(of: Foreign()).isCancel)
        #expect(RegistrationError.completion(Foreign()).advice == .defect(code: "Foreign"))
    }
}
