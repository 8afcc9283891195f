import GRDB
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Delivery of policies")
struct PolicyDeliveryTests {
    @Test("A changed PIN length reaches a device that was off for a week", arguments: StoreKind.allCases)
    func week(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            try await TestRelyingParty.with(store) { caller in
                let bound = try await caller.bindForPolicy(device, to: alice)
                #expect(bound.policy == nil)
                let key = try #require(bound.answerKey)
                let login = try await caller.logIn(device, id: bound.device, user: alice, policy: .first)
                #expect(login.policy == nil)
                try await TestTime.after(.seconds(7 * 24 * 60 * 60)) { () async throws in
                    for (digits, subject) in [(7, PolicySubject.app(.default)), (8, .user(alice)), (9, .app(.default))]
                    {
                        _ = try await store.setPolicy(Self.policy(digits), of: subject, replacing: nil, by: .operator)
                    }
                    let refreshed = try await caller.refresh(login.refreshToken, policy: .first, by: device)
                    let claims = try PolicyClaims(try #require(refreshed.policy), signedBy: key)
                    #expect(claims.policy.pinLengths?.range == 8...8)
                    #expect(claims.issuer == caller.issuer && claims.audience == .default && claims.subject == alice)
                    #expect(claims.issuedAt == TestTime.current)

                    let again = try await caller.refresh(refreshed.refreshToken, policy: claims.revision, by: device)
                    #expect(again.policy == nil)
                    _ = try await store.setPolicy(Policy(), of: .user(alice), replacing: nil, by: .operator)
                    let next = try await caller.logIn(
                        device, id: bound.device, user: alice, policy: claims.revision)
                    let removed = try PolicyClaims(try #require(next.policy), signedBy: key)
                    #expect(removed.policy.pinLengths?.range == 9...9 && removed.revision > claims.revision)
                }
            }
        }
    }

    @Test("A binding delivers the policy; a device that states no revision gets none")
    func binding() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.setPolicy(Self.policy(8), of: .app(.default), replacing: nil, by: .operator)
        try await TestRelyingParty.with(store) { caller in
            let (old, new) = (TestDevice(), TestDevice())
            let bound = try await caller.bindForPolicy(new, to: alice)
            let claims = try PolicyClaims(try #require(bound.policy), signedBy: try #require(bound.answerKey))
            #expect(claims.policy == Self.policy(8))
            let id = try await caller.bind(old, to: alice)
            let answer = try await caller.logIn(old, id: id, user: alice)
            #expect(!answer.text.contains("policy"))
            #expect(try answer.message(TokenGrant.self).policy == nil)
        }
    }

    @Test("Another app's policy, and another user's, are not delivered")
    func others() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
        _ = try await store.newCode(for: bob)
        for subject in [PolicySubject.app(try #require(ClientID(rawValue: "bank"))), .user(bob)] {
            _ = try await store.setPolicy(Self.policy(8), of: subject, replacing: nil, by: .operator)
        }
        try await TestRelyingParty.with(store) { caller in
            let bound = try await caller.bindForPolicy(device, to: alice)
            #expect(bound.policy == nil)
        }
    }

    @Test("If the policy cannot be read, the login succeeds without it")
    func unreadable() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            _ = try await store.setPolicy(Self.policy(8), of: .app(.default), replacing: nil, by: .operator)
            try await TestRelyingParty.with(store) { caller in
                let bound = try await caller.bindForPolicy(device, to: alice)
                #expect(bound.policy != nil)
                let file = try DatabaseQueue(path: path)
                try await file.write { try $0.execute(sql: "UPDATE policy SET document = '[]'") }
                try file.close()
                #expect(try await caller.logIn(device, id: bound.device, user: alice, policy: .first).policy == nil)
            }
            try store.close()
        }
    }

    /// A policy with PINs of this length.
    private static func policy(_ length: Int) -> Policy {
        var policy = Policy()
        policy.pinLengths = PolicyPinLengths(length...length)
        return policy
    }
}

extension TestCaller {
    /// Binds a device that knows policies and has none.
    fileprivate func bindForPolicy(_ device: TestDevice, to user: UserID) async throws -> BindingResult {
        let begun = try await beginBinding(device, code: try await code(for: user))
        let message = try device.bindingDraft(
            user: begun.user, challenge: begun.challenge, to: issuer, name: Fixture.phone())
        let answer = BindingAnswer(handle: begun.handle, message: try message.text(), policyRevision: .first)
        return try await post(answer, to: .finishBinding).message()
    }

    fileprivate func logIn(
        _ device: TestDevice, id: DeviceID, user: UserID, policy: PolicyRevision
    ) async throws -> TokenGrant {
        let begun = try await beginLogin(user: user, device: id)
        let assertion = try device.loginDraft(user: user, challenge: begun.challenge, to: issuer).text()
        let request = TokenRequest.login(assertion: assertion, handle: begun.handle, policy: policy)
        return try await token(request, proof: try proof(by: device)).message()
    }

    fileprivate func refresh(
        _ token: RefreshToken, policy: PolicyRevision, by device: TestDevice
    ) async throws -> TokenGrant {
        try await self.token(.refresh(token, policy: policy), proof: try proof(by: device)).message()
    }
}
