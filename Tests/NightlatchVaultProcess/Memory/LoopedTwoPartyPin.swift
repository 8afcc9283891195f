import Crypto
import CryptoExtras
import Foundation
package import Nightlatch
import NightlatchTwoPartyPin
package import NightlatchWire

/// A two-party PIN with its other party in the same process. That party evaluates with one key, in one window, and
/// keeps every record. The device acts as with any relying party.
package struct LoopedTwoPartyPin: PinHardener {
    package let ownDevice: HardenedDevice?
    private let pin: TwoPartyPin
    private let device: HardenedDevice
    private let publicKey: PinPublicKey

    /// - Parameter path: The path of the vault. The other party keeps its key beside it, and makes it if it is missing.
    package init(vaultAt path: String) throws {
        let file = URL(filePath: path + ".other-party")
        let key: P384._VOPRF.PrivateKey
        if let bytes = try? Data(contentsOf: file) {
            key = try P384._VOPRF.PrivateKey(rawRepresentation: bytes)
        } else {
            key = P384._VOPRF.PrivateKey(compactRepresentable: false)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try key.rawRepresentation.write(to: file)
        }
        guard let issuer = Issuer(rawValue: "https://login.example"),
            let publicKey = PinPublicKey(bytes: Array(key.publicKey.oprfRepresentation))
        else { throw CocoaError(.coderInvalidValue) }
        self.publicKey = publicKey
        let device = """
            {"device":"00000000000000000000000000000001","issuer":"\(issuer)","possession_key":"\(KeyTag.random())",\
            "user":"alice"}
            """
        self.device = try StrictJSON.decode(HardenedDevice.self, from: Data(device.utf8))
        ownDevice = self.device
        pin = TwoPartyPin(relyingParty: try LoopedPinParty(issuer, key: key.rawRepresentation), keys: LoopedKeys())
    }

    package func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener { throw .elsewhere(HardenedDevice(binding)) }

    package func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        try await pin.standing(of: self.device)
    }

    package func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        HardenedEpoch(device: self.device, epoch: .first, publicKey: publicKey)
    }

    package func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        // Any possession key is accepted: this party requires none.
        let own = HardenedEpoch(device: device, epoch: epoch.epoch, publicKey: epoch.publicKey)
        return try await pin.harden(input, for: own, in: window)
    }

    package func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { await pin.hasLostAnswer(for: epoch) }

    package func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow { guess.window }

    package func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow { guess.window }

    package func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {}
}

private struct LoopedKeys: DeviceKeys {
    private let key = KnowledgeKey.random()

    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey { key }
    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)? { key }
    func remove(_ tag: KeyTag) async throws(DeviceKeyError) {}
}

private actor LoopedPinParty: PinRelyingParty {
    nonisolated let issuer: Issuer
    private let key: P384._VOPRF.PrivateKey

    /// - Parameter key: The bytes of a private key.
    init(_ issuer: Issuer, key: Data) throws {
        self.issuer = issuer
        self.key = try P384._VOPRF.PrivateKey(rawRepresentation: key)
    }

    private var lost: RelyingPartyError { .unreachable(reason: "this party only evaluates") }

    func evaluatePin(
        _ request: PinRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEvaluation {
        guard let claims = try? CompactJWS(request.message).claims(PinClaims<PinGuess>.self),
            let evaluated = try? key.evaluate(
                P384._VOPRF.BlindedElement(oprfRepresentation: claims.statement.blindedElement.bytes)),
            let element = EvaluatedElement(bytes: Array(evaluated.evaluatedElement.oprfRepresentation)),
            let proof = EvaluationProof(bytes: Array(evaluated.proof.rawRepresentation))
        else { throw lost }
        let guess = PinGuessID.random()
        guard let charged = PinGuessIDs([guess]) else { throw lost }
        return PinEvaluation(
            epoch: claims.statement.epoch, window: claims.statement.window, guess: guess, evaluatedElement: element,
            proof: proof, charged: charged, triesLeft: 9, issuedAt: NumericDate(Date()))
    }

    func pinStanding(
        _ request: PinRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding { throw lost }
    func openPinEpoch(
        _ request: PinOpeningRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinEpochOffer { throw lost }
    func provePin(
        _ request: PinRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing { throw lost }
    func promotePinEpoch(
        _ request: PinPromotionRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinClearing { throw lost }
    func abandonPinEpoch(
        _ request: PinRequest, answeredBy answerKey: PublicJWK?
    ) async throws(RelyingPartyError) -> PinStanding { throw lost }
}
