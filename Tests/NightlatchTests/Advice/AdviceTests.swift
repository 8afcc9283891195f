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
