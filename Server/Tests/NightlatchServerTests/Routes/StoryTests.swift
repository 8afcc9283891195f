import Foundation
import HTTPTypes
import HummingbirdTesting
import JWTKit
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The whole life of a device, from the enrolment code to the revocation")
struct StoryTests {
    enum Way: String, CaseIterable, Sendable {
        case router
        case live

        var setup: TestingSetup {
            switch self {
            case .router: .router
            case .live: .live
            }
        }
    }

    @Test(
        "A device is enrolled, bound, logged in, listed, refreshed and revoked",
        arguments: Way.allCases, StoreKind.allCases)
    func story(way: Way, kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store, setup: way.setup, Self.run)
        }
    }

    private static func run(_ caller: TestCaller) async throws {
        let (alice, phone, tablet) = (try Fixture.alice(), TestDevice(), TestDevice())
        let phoneID = try await caller.bind(phone, to: alice)
        let tabletID = try await caller.bind(tablet, to: alice)
        let phoneGrant = try await caller.logIn(phone, id: phoneID, user: alice).message(TokenGrant.self)
        #expect(phoneGrant.expiresInSeconds == 300)

        let list = try await caller.devices(by: phone, token: phoneGrant.accessToken).message(DeviceList.self)
        #expect(Set(list.devices.map(\.id)) == [phoneID, tabletID])
        #expect(list.devices.filter(\.isCurrent).map(\.id) == [phoneID])
        #expect(list.devices.allSatisfy { $0.status == .active })

        let refreshed = try await caller.refresh(phoneGrant.refreshToken, by: phone).message(TokenGrant.self)
        _ = try await caller.devices(by: phone, token: refreshed.accessToken).message(DeviceList.self)

        let tabletGrant = try await caller.logIn(tablet, id: tabletID, user: alice).message(TokenGrant.self)
        let revoked = try await caller.revoke(phoneID, by: tablet, token: tabletGrant.accessToken)
            .message(DeviceSummary.self)
        #expect(revoked.status == .revoked)
        #expect(!revoked.isCurrent)

        let after = try await caller.devices(by: phone, token: refreshed.accessToken)
        try after.expectProblem(.deviceRevoked, 401)
        #expect(after.headers[.wwwAuthenticate]?.hasPrefix("DPoP ") == true)
        try await caller.refresh(refreshed.refreshToken, by: phone)
            .expectOAuthError(.invalidGrant, .refreshTokenRefused)
        try await caller.logIn(phone, id: phoneID, user: alice).expectOAuthError(.invalidClient, .deviceRevoked, 401)
        _ = try await caller.devices(by: tablet, token: tabletGrant.accessToken).message(DeviceList.self)
        _ = try await caller.revoke(phoneID, by: tablet, token: tabletGrant.accessToken).message(DeviceSummary.self)
        _ = try await caller.revoke(tabletID, by: tablet, token: tabletGrant.accessToken).message(DeviceSummary.self)
        try await caller.devices(by: tablet, token: tabletGrant.accessToken).expectProblem(.deviceRevoked, 401)
    }

    @Test("Another library verifies the access token with the published keys")
    func independentVerification() async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock)) { caller in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(phone, to: alice)
            let grant = try await caller.logIn(phone, id: id, user: alice).message(TokenGrant.self)
            let published = try await caller.call(.get, Route.jwks.path)
            let keys = JWTKeyCollection()
            try await keys.add(jwksJSON: published.text)
            let payload = try await keys.unverified(grant.accessToken.rawValue, as: OraclePayload.self)
            let verified = try await keys.verify(grant.accessToken.rawValue, as: OraclePayload.self)
            #expect(verified.sub == payload.sub)
            #expect(verified.sub == "alice")
            #expect(verified.iss == caller.issuer.rawValue)
            #expect(verified.aud == caller.issuer.rawValue)
            #expect(verified.cnf.jkt == (try phone.possession.id.rawValue))
            let broken = String(grant.accessToken.rawValue.dropLast(2)) + "AA"
            await #expect(throws: JWTError.self) { try await keys.verify(broken, as: OraclePayload.self) }
        }
    }

    private struct OraclePayload: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let cnf: Confirmation

        struct Confirmation: Codable {
            let jkt: String
        }

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test("A second process over the same store continues the work of the first")
    func twoProcesses() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let masterKey = MasterKey.random()
            let first = try SQLiteStore(path: path, clock: TestTime.clock)
            let second = try SQLiteStore(path: path, clock: TestTime.clock)
            try await TestRelyingParty.with(first, masterKey: masterKey) { one in
                try await TestRelyingParty.with(second, masterKey: masterKey) { two in
                    let (alice, phone) = (try Fixture.alice(), TestDevice())
                    let id = try await one.bind(phone, to: alice)
                    let begun = try await one.beginLogin(user: alice, device: id)
                    let assertion = try phone.loginDraft(
                        user: alice, challenge: begun.challenge, to: one.issuer
                    ).text()
                    let request = TokenRequest.login(assertion: assertion, handle: begun.handle)
                    let grant = try await two.token(request, proof: two.proof(by: phone)).message(TokenGrant.self)
                    try await one.token(request, proof: one.proof(by: phone))
                        .expectOAuthError(.invalidGrant, .challengeUsed)
                    _ = try await one.devices(by: phone, token: grant.accessToken).message(DeviceList.self)
                }
            }
        }
    }

    @Test("A store with another master key is refused until its signing keys are forgotten, and devices stay bound")
    func otherMasterKey() async throws {
        let (store, alice, phone) = (MemoryRelyingPartyStore(clock: TestTime.clock), try Fixture.alice(), TestDevice())
        try await TestRelyingParty.with(store) { caller in
            let id = try await caller.bind(phone, to: alice)
            let grant = try await caller.logIn(phone, id: id, user: alice).message(TokenGrant.self)
            await #expect(throws: RelyingPartyStartError.masterKeyDoesNotFit) {
                try await TestRelyingParty.with(store) { _ in }
            }
            #expect(try await store.forgetSigningKeys() == 1)
            try await TestRelyingParty.with(store) { caller in
                try await caller.devices(by: phone, token: grant.accessToken)
                    .expectProblem(.accessTokenRefused, 401)
                let refreshed = try await caller.refresh(grant.refreshToken, by: phone).message(TokenGrant.self)
                _ = try await caller.devices(by: phone, token: refreshed.accessToken).message(DeviceList.self)
                #expect(try await caller.logIn(phone, id: id, user: alice).status == .ok)
            }
        }
    }
}
