import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Policies that a vault keeps")
struct KeptPolicyTests {
    private static let eightDigits = #"{"pin_lengths":{"least":8,"most":8}}"#

    @Test("A binding delivers the policy, and the vault keeps it")
    func binding() async throws {
        let phone = try await phone { await $0.set(policy: Self.eightDigits, revision: revision(7)) }
        let kept = try #require(try await phone.open.policy())
        #expect(kept.revision == revision(7) && kept.policy.pinLengths?.range == 8...8)
        #expect(kept.issuedAt == ScriptedRelyingParty.now && kept.ignoredMembers.isEmpty)
    }

    @Test("Logins and refreshes deliver a policy that is newer than the one that the device states")
    func delivery() async throws {
        let phone = try await phone { _ in }
        #expect(try await phone.open.policy() == nil)
        #expect(try await phone.login.logIn(phone.open).policy == .unchanged)
        await phone.relyingParty.set(policy: Self.eightDigits, revision: revision(7))
        let kept = try await phone.login.logIn(phone.open).policy
        #expect(kept == .kept(try #require(try await phone.open.policy())))
        #expect(try await phone.login.resume(phone.open).policy == .unchanged)
        await phone.relyingParty.set(policy: "{}", revision: revision(8))
        guard case .kept(let removed) = try await phone.login.resume(phone.open).policy else {
            Issue.record("the removal was not delivered")
            return
        }
        #expect(removed.policy.isEmpty && removed.revision == revision(8))
        #expect(await phone.relyingParty.statedRevisions == [0, 0, 7, 7].map(PolicyRevision.init(rawValue:)))
    }

    @Test("A device without the relying party's key asks for no policy, and accepts none")
    func noKey() async throws {
        let phone = try await TestPhone.bound()
        let key = P256.Signing.PrivateKey()
        await phone.relyingParty.send(
            policyText: ScriptedRelyingParty.sign(policy: "{}", revision: revision(7), by: key))
        #expect(try await phone.login.logIn(phone.open).policy == .notKept(.refused(.noPinnedKey)))
        #expect(await phone.relyingParty.statedRevisions == [nil])
        #expect(try await phone.open.policy() == nil)
    }

    @Test("An older policy, and another one of the same revision, are refused; the same one again is not")
    func rollback() async throws {
        let key = P256.Signing.PrivateKey()
        let phone = try await phone(key) { await $0.set(policy: Self.eightDigits, revision: revision(7)) }
        let known = try await phone.open.policy()
        for (json, number, expected) in [
            (Self.eightDigits, 6, DeliveredPolicy.notKept(.refused(.older(than: revision(7))))),
            ("{}", 7, .notKept(.refused(.contradictory(revision(7))))),
            (#"{"future":1,"pin_lengths":{"least":8,"most":8}}"#, 7, .notKept(.refused(.contradictory(revision(7))))),
            (Self.eightDigits, 7, .kept(try #require(known))),
        ] {
            await phone.relyingParty.send(
                policyText: ScriptedRelyingParty.sign(policy: json, revision: revision(number), by: key))
            #expect(try await phone.login.logIn(phone.open).policy == expected, "\(json)")
            #expect(try await phone.open.policy() == known)
        }
    }

    @Test("A policy of another key, server, app or user is refused, and the login is valid")
    func foreign() async throws {
        let (key, other) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let phone = try await phone(key) { _ in }
        typealias Party = ScriptedRelyingParty
        for (text, refusal) in [
            (Party.sign(policy: "{}", revision: revision(9), by: other), PolicyRefusal.wrongSignature),
            (
                Party.sign(
                    policy: "{}", revision: revision(9), issuer: Issuer(unchecked: "https://other.example"), by: key),
                .ofAnother
            ),
            (
                Party.sign(policy: "{}", revision: revision(9), audience: ClientID(unchecked: "bank"), by: key),
                .ofAnother
            ),
            (Party.sign(policy: "{}", revision: revision(9), for: UserID(unchecked: "bob"), by: key), .ofAnother),
            ("no policy", .malformed),
            (String(repeating: "A", count: 5000), .malformed),
        ] {
            await phone.relyingParty.send(policyText: text)
            let session = try await phone.login.logIn(phone.open)
            #expect(session.policy == .notKept(.refused(refusal)))
            #expect(try await session.devices().devices.count == 1)
        }
        let broken = Party.sign(policy: #"{"authenticators":[]}"#, revision: revision(9), by: key)
        await phone.relyingParty.send(policyText: broken)
        #expect(try await phone.login.logIn(phone.open).policy == .notKept(.refused(.malformed)))
        #expect(try await phone.open.policy() == nil)
    }

    @Test("What the library does not know is named, and the rest applies")
    func ignored() async throws {
        let phone = try await phone {
            await $0.set(
                policy: #"{"authenticators":["passkey","pin"],"least_app_version":"2.1","pin_history":5}"#,
                revision: revision(7))
        }
        let kept = try #require(try await phone.open.policy())
        #expect(kept.ignoredMembers == ["authenticators.passkey", "pin_history"])
        #expect(kept.policy.authenticators == PolicyChoice([.pin]))
        #expect(kept.permits(try #require(AppVersion(rawValue: "2.1"))))
        #expect(!kept.permits(try #require(AppVersion(rawValue: "2.0.9"))))
    }

    @Test("Absent, unreadable now, corrupt and refused are different results")
    func results() async throws {
        let phone = try await phone { await $0.set(policy: Self.eightDigits, revision: revision(7)) }
        phone.store.fail(at: 0, .before)
        await #expect(throws: PolicyError.vault(.store(StoreError(.unavailable)))) { try await phone.open.policy() }
        phone.store.repair()
        #expect(try await phone.open.policy() != nil)

        try await phone.open.setAny(SecretBytes(copying: Array("a.b".utf8)), named: .policy)
        await #expect(throws: PolicyError.corrupt) { try await phone.open.policy() }
        // The next login asks for the policy again.
        #expect(try await phone.login.logIn(phone.open).policy == .kept(try #require(try await phone.open.policy())))
        #expect(await phone.relyingParty.statedRevisions == [.first])

        let foreign = ScriptedRelyingParty.sign(policy: "{}", revision: revision(9), by: P256.Signing.PrivateKey())
        try await phone.open.setAny(SecretBytes(copying: Array(foreign.utf8)), named: .policy)
        await #expect(throws: PolicyError.refused(.wrongSignature)) { try await phone.open.policy() }

        let binding = try #require(try await phone.open.deviceBinding())
        try await phone.binder.forget(binding, in: phone.open)
        #expect(try await phone.open.policy() == nil)
    }

    private func phone(
        _ key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        _ prepare: (ScriptedRelyingParty) async -> Void
    ) async throws -> TestPhone {
        let phone = try await TestPhone()
        await phone.relyingParty.sign(with: key)
        await prepare(phone.relyingParty)
        try await phone.bind(await phone.relyingParty.issueCode())
        phone.store.repair()
        return phone
    }

    private func revision(_ number: Int) -> PolicyRevision {
        guard let revision = PolicyRevision(rawValue: number) else { preconditionFailure("no revision") }
        return revision
    }
}
