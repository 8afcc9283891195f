import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Keyrings of two master keys")
struct MasterKeyringTests {
    private let old = MasterKey.random()
    private let new = MasterKey.random()

    @Test("The first key seals until the other is adopted; an unknown key is not adopted")
    func adoption() {
        let keyring = MasterKeyring(old, other: new)
        #expect(keyring.sealing.id == old.id && keyring.ids == [old.id, new.id])
        #expect(!keyring.adopt(.random()))
        #expect(keyring.sealing.id == old.id && keyring.isReplaced)
        let copy = keyring
        #expect(keyring.adopt(new.id))
        #expect(copy.sealing.id == new.id && !copy.isReplaced, "All copies follow")
        #expect(MasterKeyring(old, other: old).ids == [old.id], "The same key twice is one key")
    }

    @Test("Challenges, codes and nonces of either key open at a process with both, and not at one without the key")
    func texts() throws {
        let both = MasterKeyring(new, other: old)
        let now = TestTime.current
        for key in [old, new] {
            let only = MasterKeyring(key)
            let challenge = try challenge(until: now + .seconds(60))
            let handle = try ChallengeSealer(keyring: only).seal(challenge)
            #expect(try ChallengeSealer(keyring: both).open(handle, at: now) == challenge)
            #expect(throws: ChallengeSealer.Refusal.notOurs) {
                try ChallengeSealer(keyring: .random()).open(handle, at: now)
            }
            let nonce = DPoPNonces(keyring: only).nonce(at: now)
            #expect(DPoPNonces(keyring: both).isGood(nonce, at: now))
            #expect(!DPoPNonces(keyring: .random()).isGood(nonce, at: now))
            let code = try RemoteLoginCodes(keyring: only).seal(offer(at: now))
            #expect(RemoteLoginCodes(keyring: both).open(code, at: now) != nil)
            #expect(RemoteLoginCodes(keyring: .random()).open(code, at: now) == nil)
        }
    }

    @Test("After the adoption, new texts open at a process with only the new key")
    func sealing() throws {
        let (both, now) = (MasterKeyring(old, other: new), TestTime.current)
        let (sealer, nonces, codes) = (
            ChallengeSealer(keyring: both), DPoPNonces(keyring: both), RemoteLoginCodes(keyring: both)
        )
        let only = MasterKeyring(new)
        let challenge = try challenge(until: now + .seconds(60))
        #expect(throws: ChallengeSealer.Refusal.notOurs) {
            try ChallengeSealer(keyring: only).open(sealer.seal(challenge), at: now)
        }
        #expect(both.adopt(new.id))
        #expect(try ChallengeSealer(keyring: only).open(sealer.seal(challenge), at: now) == challenge)
        #expect(DPoPNonces(keyring: only).isGood(nonces.nonce(at: now), at: now))
        #expect(try RemoteLoginCodes(keyring: only).open(codes.seal(offer(at: now)), at: now) != nil)
    }

    @Test("A PIN key of either master key evaluates alike, and sealed again it opens with only the new one")
    func pinKeys() async throws {
        let (device, epoch) = (DeviceID.random(), PinEpoch.first)
        let sealed = try await PinEvaluator(keyring: MasterKeyring(old)).makeKey(for: device, epoch: epoch)
        #expect(sealed.masterKey == old.id)
        let both = MasterKeyring(new, other: old)
        let again = try await PinEvaluator(keyring: both).sealedAgain(sealed, of: device)
        #expect(again.masterKey == new.id && again.publicKey == sealed.publicKey && again.epoch == epoch)
        // The generator of P-384, compressed: any point serves.
        let element = try #require(BlindedElement(bytes: Array(sealed.publicKey.bytes)))
        let one = try await PinEvaluator(keyring: both).evaluate(element, with: sealed, of: device)
        let two = try await PinEvaluator(keyring: MasterKeyring(new)).evaluate(element, with: again, of: device)
        #expect(one.element == two.element)
        await #expect(throws: PinEvaluator.Failure.sealBroken) {
            try await PinEvaluator(keyring: MasterKeyring(new)).evaluate(element, with: sealed, of: device)
        }
        await #expect(throws: PinEvaluator.Failure.sealBroken) {
            try await PinEvaluator(keyring: both).sealedAgain(sealed, of: .random())
        }
    }

    @Test("Kept secrets open under the key that sealed them, and stay those of the first master key")
    func keptSecrets() throws {
        let kept = KeptSecrets(derivedFrom: old)
        let box = try #require(kept.sealed(under: new))
        let opened = try #require(KeptSecrets(box: box, under: new))
        #expect(opened.appRefreshToken == kept.appRefreshToken)
        #expect(AuditKey(opened).publicKey == AuditKey(masterKey: old).publicKey)
        let issuer = try Fixture.issuer()
        #expect(PinAnswerKey(opened, issuer: issuer).publicKey == PinAnswerKey(kept, issuer: issuer).publicKey)
        #expect(KeptSecrets(box: box, under: old) == nil)
        #expect(KeptSecrets(box: Array(box.dropLast()), under: new) == nil)
        #expect(KeptSecrets(box: [], under: new) == nil)
    }

    private func challenge(until end: NumericDate) throws -> SealedChallenge {
        SealedChallenge(
            purpose: .login(user: try Fixture.alice(), device: nil), challenge: .random(), expiresAt: end)
    }

    private func offer(at now: NumericDate) throws -> OfferedRemoteLogin {
        OfferedRemoteLogin(
            id: .random(), client: .default, place: nil, number: try #require(RemoteLoginNumber(rawValue: "42")),
            requestedAt: now, expiresAt: now + .seconds(60))
    }
}
