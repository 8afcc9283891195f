import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A user's own devices over HTTP")
struct OwnDeviceRouteTests {
    private struct Two: Sendable {
        let caller: TestCaller
        let store: MemoryRelyingPartyStore
        let alice: UserID
        let phone = TestDevice()
        let tablet = TestDevice()
        let phoneID: DeviceID
        let tabletID: DeviceID
        let token: AccessToken

        init(_ caller: TestCaller, _ store: MemoryRelyingPartyStore) async throws {
            (self.caller, self.store) = (caller, store)
            alice = try Fixture.alice()
            phoneID = try await caller.bind(phone, to: alice)
            tabletID = try await caller.bind(tablet, to: alice)
            token = try await caller.logIn(phone, id: phoneID, user: alice).message(TokenGrant.self).accessToken
        }

        /// Sends a request about a device from the phone.
        func ask(_ route: Route, _ id: DeviceID, body: String? = nil) async throws -> TestResponse {
            try await caller.change(id, at: route, by: phone, token: token, body: body)
        }
    }

    private func withTwo(_ body: @escaping @Sendable (Two) async throws -> Void) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store) { caller in try await body(try await Two(caller, store)) }
    }

    @Test("A user renames this device or another one")
    func rename() async throws {
        try await withTwo { two in
            for id in [two.phoneID, two.tabletID] {
                let summary = try await two.ask(.renameDevice, id, body: #"{"name":"Küche 🛋️"}"#)
                    .message(DeviceSummary.self)
                #expect(summary.name.rawValue == "Küche 🛋️" && summary.id == id && summary.status == .active)
                #expect(summary.isCurrent == (id == two.phoneID))
            }
            let list = try await two.caller.devices(by: two.phone, token: two.token).message(DeviceList.self).devices
            #expect(list.allSatisfy { $0.name.rawValue == "Küche 🛋️" })
            let events = try await two.store.auditEntries(of: two.alice, before: nil, limit: 10).map(\.event)
            #expect(events.contains(AuditEvent(.deviceRenamed, by: .user, user: two.alice, device: two.tabletID)))
        }
    }

    @Test(
        "An invalid name is refused and renames nothing",
        arguments: [
            #"{"name":""}"#, #"{"name":" "}"#, #"{"name":"a\nb"}"#, #"{"name":"a\u202eb"}"#, #"{"name":7}"#, #"{}"#, "",
            #"{"name":"a","name":"b"}"#, "{\"name\":\"\(String(repeating: "a", count: 65))\"}",
        ])
    func badName(body: String) async throws {
        try await withTwo { two in
            try await two.ask(.renameDevice, two.tabletID, body: body).expectProblem(.malformedRequest, 400)
            let device = try await two.store.device(two.tabletID, of: two.alice)
            #expect(device?.name == (try Fixture.phone()))
        }
    }

    @Test(
        "Another user's device is not found, and without a session nothing changes",
        arguments: [Route.renameDevice, .blockDevice, .unblockDevice, .revokeDevice])
    func others(route: Route) async throws {
        try await withTwo { two in
            let (bob, device) = (try Fixture.bob(), TestDevice())
            let bobs = try await two.caller.bind(device, to: bob)
            let body = route == .renameDevice ? #"{"name":"Mine"}"# : nil
            try await two.ask(route, bobs, body: body).expectProblem(.notFound, 404)
            try await two.ask(route, .random(), body: body).expectProblem(.notFound, 404)
            let path = route.path(device: two.tabletID)
            try await two.caller.call(.post, path, headers: ["Content-Type": "application/json"], body: body)
                .expectProblem(.accessTokenRefused, 401)
            // A proof for another device's path is refused.
            let other = try two.caller.proof(
                by: two.phone, for: route, path: route.path(device: two.phoneID), token: two.token)
            try await two.caller.call(
                .post, path,
                headers: [
                    "Authorization": "DPoP " + two.token.rawValue, "DPoP": other, "Content-Type": "application/json",
                ], body: body
            ).expectProblem(.dpopProofRefused, 401)
            let before = try await two.store.device(bobs, of: bob)
            #expect(before?.stop == nil)
            #expect(before?.name == (try Fixture.phone()))
            #expect(try await two.store.device(two.tabletID, of: two.alice)?.stop == nil)
        }
    }

    @Test("Every route refuses a device that its user has blocked, and the device logs in again once it is unblocked")
    func block() async throws {
        try await withTwo { two in
            let grant = try await two.caller.logIn(two.tablet, id: two.tabletID, user: two.alice)
                .message(TokenGrant.self)
            for _ in 0..<2 {
                #expect(
                    try await two.ask(.blockDevice, two.tabletID).message(DeviceSummary.self).status == .blocked)
            }
            try await two.caller.devices(by: two.tablet, token: grant.accessToken).expectProblem(.deviceBlocked, 401)
            try await two.caller.logIn(two.tablet, id: two.tabletID, user: two.alice)
                .expectOAuthError(.invalidClient, .deviceBlocked, 401)
            try await two.caller.refresh(grant.refreshToken, by: two.tablet)
                .expectOAuthError(.invalidGrant, .refreshTokenRefused)
            #expect(try await two.caller.introspect(grant.accessToken.rawValue).text == #"{"active":false}"#)
            // A caller without the device's key does not learn that it is blocked.
            try await two.caller.logIn(TestDevice(), id: two.tabletID, user: two.alice)
                .expectOAuthError(.invalidGrant, .messageRefused)
            for _ in 0..<2 {
                #expect(
                    try await two.ask(.unblockDevice, two.tabletID).message(DeviceSummary.self).status == .active)
            }
            let response = try await two.caller.logIn(two.tablet, id: two.tabletID, user: two.alice)
            _ = try response.message(TokenGrant.self)
        }
    }

    @Test("A user cannot undo an operator's block, and a revocation is final")
    func unblock() async throws {
        try await withTwo { two in
            let administration = Administration(of: two.store, by: .operator)
            _ = try await administration.block(two.tabletID, of: two.alice)
            try await two.ask(.unblockDevice, two.tabletID).expectProblem(.blockedByOperator, 409)
            #expect(try await two.store.device(two.tabletID, of: two.alice)?.stop == .blocked)
            _ = try await administration.revoke(two.tabletID, of: two.alice)
            for route in [Route.blockDevice, .unblockDevice] {
                #expect(try await two.ask(route, two.tabletID).message(DeviceSummary.self).status == .revoked)
            }
        }
    }
}
