import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Device policies over HTTP")
struct DevicePolicyRouteTests {
    private func withCaller(
        policy: DevicePolicy = .many,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.devicePolicy = policy
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), configuration: configuration, body)
    }

    private func logIn(
        _ device: TestDevice,
        id: DeviceID? = nil,
        at caller: TestCaller,
        _ change: (inout Draft) throws -> Void = { $0.header["kid"] = nil }
    ) async throws -> TestResponse {
        let alice = try Fixture.alice()
        let begun = try await caller.beginLogin(user: alice, device: id)
        var draft = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer)
        try change(&draft)
        let request = TokenRequest.login(assertion: try draft.text(), handle: begun.handle)
        return try await caller.token(request, proof: caller.proof(by: device))
    }

    @Test("A device that was replaced long ago is refused as replaced, if its login names its key and no device")
    func replacedLongAgo() async throws {
        try await withCaller(policy: .one) { caller in
            let (alice, first) = (try Fixture.alice(), TestDevice())
            _ = try await caller.bind(first, to: alice)
            for _ in 0..<6 { _ = try await caller.bind(TestDevice(), to: alice) }
            try await logIn(first, at: caller) { _ in }.expectOAuthError(.invalidClient, .deviceReplaced, 401)
            // A caller without the device's key learns nothing.
            let named = try first.key.id.rawValue
            try await logIn(TestDevice(), at: caller) { $0.header["kid"] = named }
                .expectOAuthError(.invalidGrant, .messageRefused)
            try await logIn(TestDevice(), at: caller) { _ in }.expectOAuthError(.invalidGrant, .messageRefused)
        }
    }

    @Test(
        "Under the policy of one device, a new device replaces the old one, which every route then refuses as replaced")
    func oneDevice() async throws {
        try await withCaller(policy: .one) { caller in
            let (alice, phone, tablet) = (try Fixture.alice(), TestDevice(), TestDevice())
            let phoneID = try await caller.bind(phone, to: alice)
            let grant = try await caller.logIn(phone, id: phoneID, user: alice).message(TokenGrant.self)
            let tabletID = try await caller.bind(tablet, to: alice)

            try await caller.devices(by: phone, token: grant.accessToken).expectProblem(.deviceReplaced, 401)
            try await caller.refresh(grant.refreshToken, by: phone).expectOAuthError(
                .invalidGrant, .refreshTokenRefused)
            try await caller.logIn(phone, id: phoneID, user: alice)
                .expectOAuthError(.invalidClient, .deviceReplaced, 401)
            try await logIn(phone, at: caller).expectOAuthError(.invalidClient, .deviceReplaced, 401)
            try await caller.logIn(TestDevice(), id: phoneID, user: alice)
                .expectOAuthError(.invalidGrant, .messageRefused)
            let begun = try await caller.beginBinding(phone, code: try await caller.code(for: alice))
            let message = try phone.bindingDraft(
                user: alice, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone()
            ).text()
            try await caller.post(BindingAnswer(handle: begun.handle, message: message), to: .finishBinding)
                .expectProblem(.deviceReplaced, 401)

            let token = try await caller.logIn(tablet, id: tabletID, user: alice).message(TokenGrant.self).accessToken
            let list = try await caller.devices(by: tablet, token: token).message(DeviceList.self).devices
            #expect(list.first { $0.id == phoneID }?.status == .replaced)
            #expect(list.first { $0.id == tabletID }?.status == .active)
        }
    }

    @Test("A login that names no device and no key gets tokens for the device whose key signed it")
    func unnamed() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let devices = (0..<5).map { _ in TestDevice() }
            var ids: [DeviceID] = []
            for device in devices { ids.append(try await caller.bind(device, to: alice)) }
            for (device, id) in zip(devices, ids) {
                let token = try await logIn(device, at: caller).message(TokenGrant.self).accessToken
                let list = try await caller.devices(by: device, token: token).message(DeviceList.self).devices
                #expect(list.filter(\.isCurrent).map(\.id) == [id])
                _ = try await logIn(device, at: caller) { _ in }.message(TokenGrant.self)
            }
            try await logIn(TestDevice(), at: caller).expectOAuthError(.invalidGrant, .messageRefused)
        }
    }

    @Test("An unknown user gets the answer of a wrong key, and a login for a named device must name its key")
    func refusals() async throws {
        try await withCaller { caller in
            let device = TestDevice()
            let unknown = try await logIn(device, at: caller)
            let id = try await caller.bind(device, to: Fixture.alice())
            let wrong = try await logIn(TestDevice(), at: caller)
            #expect(unknown.text == wrong.text && unknown.status == wrong.status)
            try unknown.expectOAuthError(.invalidGrant, .messageRefused)
            try await logIn(device, id: id, at: caller).expectOAuthError(.invalidGrant, .messageRefused)
        }
    }

    @Test("A challenge for a named device is refused to another device of the user")
    func otherDevice() async throws {
        try await withCaller { caller in
            let (phone, tablet) = (TestDevice(), TestDevice())
            _ = try await caller.bind(phone, to: Fixture.alice())
            let tabletID = try await caller.bind(tablet, to: Fixture.alice())
            try await logIn(phone, id: tabletID, at: caller) { _ in }
                .expectOAuthError(.invalidGrant, .messageRefused)
        }
    }
}
