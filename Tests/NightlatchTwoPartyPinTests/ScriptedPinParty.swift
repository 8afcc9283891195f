import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchWire

/// A relying party that evaluates guesses, with one window and one key, and fails according to a script. It verifies no
/// signature.
actor ScriptedPinParty: PinRelyingParty {
    enum Fault: Sendable {
        case lostRequest, lostAnswer, otherKey, otherPoint, spoiltProof(at: Int)
        /// The answer is right, but names another epoch, or a guess that it does not list as charged.
        case otherEpoch, unchargedGuess
        /// A refusal that decides nothing, although its code is about the PIN.
        case undecided(ProblemCode)
        /// The guess is not charged, because a round has ended.
        case waiting(PinWait?)
    }

    nonisolated let issuer: Issuer
    /// The relying party's time.
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    private let key = P384._VOPRF.PrivateKey(compactRepresentable: false)
    private var window: PinWindow
    private var faults: [Fault]
    private(set) var charged: [(element: BlindedElement, id: PinGuessID)] = []
    private(set) var requestCount = 0

    init(_ issuer: Issuer, window: PinWindow = .first, faults: [Fault] = []) {
        self.issuer = issuer
        self.window = window
        self.faults = faults
    }

    /// Begins a window, as after the count was cleared.
    func begin(_ window: PinWindow) {
        self.window = window
        charged = []
    }

    var publicKey: PinPublicKey? { PinPublicKey(bytes: Array(key.publicKey.oprfRepresentation)) }

    private var standing: PinStanding { standing(wait: nil) }

    private func standing(wait: PinWait?) -> PinStanding {
        PinStanding(
            epoch: .first, candidate: nil, nextEpoch: PinEpoch.first.next, window: window, triesLeft: 5,
            isCodeRequired: true, wait: wait, issuedAt: NumericDate(date))
    }

    private func refusal(_ code: ProblemCode, _ standing: PinStanding?) -> RelyingPartyError {
        .refused(RelyingPartyRefusal(code: code, status: 400, title: "refused by the test", pin: standing))
    }

    static func undecided(_ code: ProblemCode, _ standing: PinStanding) -> RelyingPartyError {
        .refused(RelyingPartyRefusal(code: code, status: 503, title: "Later.", pin: standing))
    }

    private var lost: RelyingPartyError { .unreachable(reason: "lost by the test") }

    func evaluatePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinEvaluation
    {
        requestCount += 1
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        if case .lostRequest = fault { throw lost }
        if case .undecided(let code) = fault { throw Self.undecided(code, standing) }
        if case .waiting(let wait) = fault {
            throw .refused(
                RelyingPartyRefusal(
                    code: .pinWaiting, status: 429, title: "Wait.", retryAfter: .seconds(7),
                    pin: standing(wait: wait)))
        }
        guard let claims = try? CompactJWS(request.message).claims(PinClaims<PinGuess>.self) else {
            throw refusal(.malformedRequest, nil)
        }
        guard abs(claims.issuedAt.secondsSince1970 - Int(date.timeIntervalSince1970)) <= 60 else {
            throw .refused(
                RelyingPartyRefusal(
                    code: .messageExpired, status: 409, title: "refused by the test", issuedAt: NumericDate(date)))
        }
        guard claims.statement.window == window else { throw refusal(.pinWindowPassed, standing) }
        let element = claims.statement.blindedElement
        if !charged.contains(where: { $0.element == element }) { charged.append((element, .random())) }
        if case .lostAnswer = fault { throw lost }
        guard let answer = try? evaluation(of: element, fault) else { throw refusal(.blindedElementRefused, nil) }
        return answer
    }

    private func evaluation(of element: BlindedElement, _ fault: Fault?) throws -> PinEvaluation? {
        var evaluated = try key.evaluate(P384._VOPRF.BlindedElement(oprfRepresentation: element.bytes))
        var point = Array(evaluated.evaluatedElement.oprfRepresentation)
        switch fault {
        case .otherKey:
            evaluated = try P384._VOPRF.PrivateKey().evaluate(
                P384._VOPRF.BlindedElement(oprfRepresentation: element.bytes))
            point = Array(evaluated.evaluatedElement.oprfRepresentation)
        case .otherPoint: point = Array(key.publicKey.oprfRepresentation)
        default: break
        }
        var proof = Array(evaluated.proof.rawRepresentation)
        if case .spoiltProof(let place) = fault { proof[place] ^= 1 }
        guard let id = charged.first(where: { $0.element == element })?.id, let ids = PinGuessIDs(charged.map(\.id)),
            let result = EvaluatedElement(bytes: point), let proof = EvaluationProof(bytes: proof)
        else { return nil }
        let (isOtherEpoch, isUncharged) =
            switch fault {
            case .otherEpoch: (true, false)
            case .unchargedGuess: (false, true)
            default: (false, false)
            }
        return PinEvaluation(
            epoch: isOtherEpoch ? .first.next : .first, window: window, guess: isUncharged ? .random() : id,
            evaluatedElement: result, proof: proof, charged: ids,
            triesLeft: 5, issuedAt: NumericDate(date))
    }

    func pinStanding(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinStanding {
        standing
    }

    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer { throw lost }

    func provePin(_ request: PinRequest, answeredBy key: PublicJWK?) async throws(RelyingPartyError) -> PinClearing {
        throw lost
    }

    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing { throw lost }

    func abandonPinEpoch(
        _ request: PinRequest, answeredBy key: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding { throw lost }
}
