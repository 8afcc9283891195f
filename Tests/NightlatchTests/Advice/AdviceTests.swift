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
            (UnlockError.notPrepared(.memoryUnavailable(byteCount: 1)), .freeSpace),
            (UnlockError.cancelled, .nothing),
            (
                NewPinError<ChangePinError>.vault(.rekey(.hardener(.unavailable(.unreachable(reason: ""))))),
                .checkNetwork
            ),
            (NewPinError<ChangePinError>.localAuth(.registry(.newerFormat(found: 9, newestKnown: 1))), .updateApp),
            (NewPinError<SetPinError>.vault(.recoveryPhraseNeeded), .askForPhrase),
            (
                RegistrationError<BindingError>.completion(.relyingParty(refusal(.enrolmentCodeRefused, 403))),
                .bindAgain
            ),
            (RegistrationError<Never>.create(.record(.store(StoreError(.full)))), .freeSpace),
            (LocalAuthError.vault(.store(StoreError(.refused))), .restoreAccess),
            (LocalAuthError.vault(.store(StoreError(.unavailable))), .tryLater(after: nil)),
            (LocalAuthError.vault(.store(StoreError(.unavailable, reason: .overtaken(times: 8)))), .tryAgain),
            (LocalAuthError.vault(.store(StoreError(.corrupt))), .bindAgain),
            (LocalAuthError.noHardener, .defect(code: "no-hardener")),
            (LocalAuthError.hardener(.destroyed), .signIn),
            (LoginError.vault(.locked), .askForPin), (LoginError.notBound, .bindAgain),
            (LoginError.key(DeviceKeyError(.absent)), .bindAgain), (LoginError.blocked, .tryLater(after: nil)),
            (LoginError.relyingParty(.unintelligible(status: 302)), .checkNetwork),
            (BiometricUnlockError.biometrics(.unavailable(.permissionDenied)), .restoreAccess),
            (BiometricUnlockError.biometrics(.notRecognised), .askForPin),
            (BiometricSetupError.biometrics(.unavailable(.notEnrolled)), .restoreAccess),
            (BiometricLoginError.unlock(.biometrics(.enrolmentChanged)), .signIn),
            (DeregistrationError.deviceKey(DeviceKeyError(.corrupt)), .tryLater(after: nil)),
            (DecisionError.ended(.confirmed), .nothing), (DecisionError.changed, .tryAgain),
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
                NewPinError<ChangePinError>.vault(.rekey(.hardener(.chip(.store(StoreError(.full)))))),
                [
                    ChangePinError.rekey(.hardener(.chip(.store(StoreError(.full))))),
                    RekeyError.hardener(.chip(.store(StoreError(.full)))),
                    PinHardenerError.chip(.store(StoreError(.full))), PinChipError.store(StoreError(.full)),
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
        AuthenticatorError.localAuth(.notRegistered),
        AuthenticatorError.biometrics(.noKeyring),
        AuthenticatorError.preference(.notRegistered),
        BindingError.vault(.locked),
        BindingError.key(DeviceKeyError(.absent)),
        BindingError.relyingParty(.cancelled),
        BiometricLoginError.record(.corrupt),
        BiometricLoginError.setUp(.noKeyring),
        BiometricLoginError.unlock(.noVault),
        BiometricLoginError.binding(.superseded),
        BiometricLoginError.login(.notBound),
        BiometricLoginError.revocation(.relyingParty(.cancelled)),
        BiometricLoginError.removal(.vault(.locked)),
        BiometricLoginError.vault(.locked),
        BiometricLoginRecordError.store(StoreError(.full)),
        BiometricSetupError.vault(.locked),
        BiometricSetupError.biometrics(.cancelled),
        BiometricUnlockError.biometrics(.cancelled),
        BiometricUnlockError.record(.corrupt),
        ChangePinError.unlock(.noVault),
        ChangePinError.vault(.locked),
        ChangePinError.rekey(.superseded),
        CreateVaultError.record(.corrupt),
        CreateVaultError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        CreateVaultError.hardener(.destroyed),
        DecisionError.unlock(.noVault),
        DecisionError.biometrics(.noVault),
        DecisionError.localAuth(.notRegistered),
        DecisionError.vault(.locked),
        DecisionError.key(DeviceKeyError(.absent)),
        DecisionError.relyingParty(.cancelled),
        DeregistrationError.registry(.corrupt),
        DeregistrationError.vault(.record(.corrupt)),
        DeregistrationError.deviceKey(DeviceKeyError(.absent)),
        EraseVaultError.record(.corrupt),
        EraseVaultError.biometrics(.cancelled),
        ForgetBindingError.key(DeviceKeyError(.absent)),
        ForgetBindingError.vault(.locked),
        FullCredentialsError.vault(.locked),
        FullCredentialsError.relyingParty(.cancelled),
        LocalAuthError.registry(.corrupt),
        LocalAuthError.vault(.corrupt),
        LocalAuthError.notPrepared(.memoryUnavailable(byteCount: 1)),
        LocalAuthError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        LocalAuthError.hardener(.destroyed),
        LoginError.vault(.locked),
        LoginError.key(DeviceKeyError(.absent)),
        LoginError.relyingParty(.cancelled),
        OpenVaultError.record(.corrupt),
        PinChipError.store(StoreError(.full)),
        PinHardenerError.unavailable(.cancelled),
        PinHardenerError.chip(.otherChip),
        PinHardenerError.key(DeviceKeyError(.absent)),
        ProfileError.registry(.corrupt),
        ProfileRegistryError.store(StoreError(.full)),
        RecoveryError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        RecoveryError.record(.corrupt),
        RecoveryError.rekey(.superseded),
        RecoverySetupError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        RecoverySetupError.vault(.locked),
        RekeyError.record(.corrupt),
        RekeyError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        RekeyError.hardener(.destroyed),
        SessionError.key(DeviceKeyError(.absent)),
        SessionError.relyingParty(.cancelled),
        SetPinError.vault(.locked),
        SetPinError.rekey(.superseded),
        UnlockError.record(.corrupt),
        UnlockError.notPrepared(.memoryUnavailable(byteCount: 1)),
        UnlockError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        UnlockError.hardener(.destroyed),
        UserKeyError.noPin(.notDigits),
        UserKeyError.biometrics(.cancelled),
        UserKeyError.key(DeviceKeyError(.absent)),
        UserKeyError.vault(.corrupt),
        UserKeyError.keyDerivation(.memoryUnavailable(byteCount: 1)),
        UserKeyError.registry(.corrupt),
        UserKeyRegistryError.store(StoreError(.full)),
        VaultRecordError.store(StoreError(.full)),
        WalletKeyError.vault(.locked),
        WalletSigningError.unlock(.noVault),
        WalletSigningError.vault(.locked),
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
                .blindedElementRefused, .pinNotEnrolled, .internalError,
            ])
    }

    @Test("An error of another package is a defect, named by its type; a cancelled task needs no advice")
    func foreign() {
        struct Foreign: Error { let secret = "1234" }
        #expect(Advice(for: Foreign()) == .defect(code: "Foreign"))
        #expect(Advice(for: CancellationError()) == .nothing)
        #expect(ErrorGuidance(of: CancellationError()).summary == .cancelled)
        #expect(RegistrationError.completion(Foreign()).advice == .defect(code: "Foreign"))
    }
}
