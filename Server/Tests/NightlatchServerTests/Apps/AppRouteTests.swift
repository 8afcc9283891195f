import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Apps over HTTP")
struct AppRouteTests {
    /// An answer about an app.
    private struct Answer: Decodable {
        let app: App
        let revision: Int
        let secret: AppSecret?

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            // No answer ever has a hash.
            #expect(!members.contains("client_secret_hash"))
            app = try App(members, id: members.value("client_id")) { AppSecretHash([] as [UInt8]) }
            revision = try members.value("revision")
            secret = try members.optionalValue("client_secret")
        }
    }

    private struct List: Decodable {
        let apps: [Entry]

        struct Entry: Decodable {
            let client_id: String
            let client_name: String
            let revision: Int
        }
    }

    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    @Test(
        "An app is registered, read, changed, listed and removed, and its secret is in the answer that makes it alone",
        arguments: StoreKind.allCases)
    func story(kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store, setup: .live) { caller in
                let members =
                    #""client_id":"web","client_name":"Web","token_endpoint_auth_method":"client_secret_basic""#
                let registered = try await caller.put("web", "{\(members)}").message(Answer.self)
                let secret = try #require(registered.secret)
                #expect(registered.revision == 1 && registered.app.name.rawValue == "Web")
                let stored = try #require(try await store.apps().first)
                #expect(stored.app.authentication == .secret(secret.hash))
                let read = try await caller.app("web").message(Answer.self)
                #expect(read.app == registered.app && read.revision == 1 && read.secret == nil)

                let renamed = try await caller.put(
                    "web",
                    #"{\#(members),"revision":1,"client_name":"Other"}"#.replacing(#""client_name":"Web","#, with: "")
                ).message(Answer.self)
                #expect(renamed.revision == 2 && renamed.secret == nil && renamed.app.name.rawValue == "Other")
                #expect(try await store.apps().first?.app.authentication == .secret(secret.hash))
                let renewed = try await caller.put("web", #"{\#(members),"revision":2,"new_secret":true}"#)
                    .message(Answer.self)
                let newSecret = try #require(renewed.secret)
                #expect(newSecret != secret && renewed.revision == 3)
                #expect(try await store.apps().first?.app.authentication == .secret(newSecret.hash))

                let listed = try await caller.call(.get, Route.apps.path, headers: caller.backendHeaders)
                #expect(!listed.text.contains("secret_hash") && !listed.text.contains(newSecret.rawValue))
                #expect(try listed.message(List.self).apps.map(\.client_id) == ["web"])
                for _ in 0..<2 { #expect(try await caller.remove("web").text == #"{"client_id":"web"}"#) }
                try await caller.app("web").expectProblem(.notFound, 404)
                let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
                    .filter { $0.client != nil }
                #expect(events.map(\.actor) == [.backend, .backend, .backend, .backend])
            }
        }
    }

    @Test("An app that is changed from public to confidential gets a secret without asking")
    func becomesConfidential() async throws {
        try await withCaller { caller in
            let members = #""client_id":"web","client_name":"Web""#
            #expect(try await caller.put("web", "{\(members)}").message(Answer.self).secret == nil)
            let changed = try await caller.put(
                "web", #"{\#(members),"revision":1,"token_endpoint_auth_method":"client_secret_basic"}"#)
            #expect(try changed.message(Answer.self).secret != nil)
        }
    }

    @Test("A change of another revision than the current one is refused and changes nothing")
    func conflict() async throws {
        try await withCaller { caller in
            let members = #""client_id":"web","client_name":"Web","binds_devices":true"#
            #expect(try await caller.put("web", "{\(members)}").message(Answer.self).revision == 1)
            // The same request again, after its answer was lost.
            #expect(try await caller.put("web", "{\(members)}").message(Answer.self).revision == 1)
            let other = #"{"client_id":"web","client_name":"Other""#
            for revision in ["", #","revision":2"#, #","revision":0"#] {
                try await caller.put("web", other + revision + "}").expectProblem(.appChanged, 409)
            }
            #expect(try await caller.app("web").message(Answer.self).app.name.rawValue == "Web")
            try await caller.put("new", #"{"client_id":"new","client_name":"New","revision":1}"#)
                .expectProblem(.appChanged, 409)
        }
    }

    @Test("A message that is no app, or the app of another id, is refused and says why")
    func malformed() async throws {
        try await withCaller { caller in
            for (body, detail) in [
                (#"{"client_id":"other","client_name":"Web"}"#, "client_id must be the id in the path."),
                (#"{"client_name":"Web"}"#, "client_id is missing."),
                (#"{"client_id":"web"}"#, "client_name is missing."),
                (
                    #"{"client_id":"web","client_name":"Web","redirect_uris":["https://a.example","javascript:alert(1)"]}"#,
                    "redirect_uris[1] must be a string: an https URL,"
                ),
                (#"{"client_id":"web","client_name":"Web","revision":"1"}"#, "revision must be a whole number."),
                (
                    #"{"client_id":"web","client_name":"Web","access_token_seconds":1}"#,
                    "The message must have access_token_seconds from 30 to 3600."
                ),
            ] {
                let response = try await caller.put("web", body)
                try response.expectProblem(.malformedRequest, 400)
                let problem = try StrictJSON.decode(Problem.self, from: Data(response.text.utf8))
                #expect(problem.detail?.hasPrefix(detail) == true, "\(problem.detail ?? "")")
            }
            try await caller.put("a%20b", "{}").expectProblem(.malformedRequest, 400)
            try await caller.app("a%20b").expectProblem(.notFound, 404)
            try await caller.remove("a%20b").expectProblem(.notFound, 404)
        }
    }

    @Test("Beyond 1,000 apps none is registered")
    func tooMany() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        for number in 0..<StoredApp.countLimit {
            _ = try await store.putApp(try TestApp.new("app-\(number)"), replacing: nil, by: .operator)
        }
        try await TestRelyingParty.with(store) { caller in
            try await caller.put("web", #"{"client_id":"web","client_name":"Web"}"#).expectProblem(.tooManyApps, 409)
            let list = try await caller.call(.get, Route.apps.path, headers: caller.backendHeaders)
            // More than a message between devices may have.
            let apps = try JSONDecoder().decode(List.self, from: Data(list.text.utf8)).apps
            #expect(apps.count == StoredApp.countLimit)
        }
    }

    @Test("Only the backend key reads and changes apps")
    func backendKey() async throws {
        try await withCaller { caller in
            let headers = ["Authorization": "Bearer wrong", "Content-Type": "application/json"]
            for route in [Route.apps, .app, .putApp, .removeApp] {
                let path = route.path(client: .default)
                let body = route == .putApp ? #"{"client_id":"nightlatch","client_name":"Web"}"# : nil
                try await caller.call(route.method == .get ? .get : .post, path, headers: headers, body: body)
                    .expectProblem(.backendKeyRefused, 401)
            }
            #expect(
                try await caller.call(.get, Route.apps.path, headers: caller.backendHeaders).text == #"{"apps":[]}"#)
        }
    }

    @Test("Devices use a registered app from its registration to its removal", arguments: StoreKind.allCases)
    func deviceClient(kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let phoneApp = try #require(ClientID(rawValue: "phone-app"))
                func bind(_ device: TestDevice) async throws -> TestResponse {
                    let begun = try await caller.beginBinding(device, code: try await caller.code(for: alice))
                    var draft = try device.bindingDraft(
                        user: begun.user, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone())
                    draft.payload["iss"] = phoneApp.rawValue
                    return try await caller.post(
                        BindingAnswer(handle: begun.handle, message: try draft.text()), to: .finishBinding)
                }
                func logIn(_ id: DeviceID) async throws -> TestResponse {
                    let begun = try await caller.beginLogin(user: alice, device: id)
                    var draft = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer)
                    draft.payload["iss"] = phoneApp.rawValue
                    return try await caller.token(
                        .login(assertion: try draft.text(), handle: begun.handle), proof: try caller.proof(by: device))
                }
                try await bind(device).expectProblem(.messageRefused, 403)
                let web = #""client_id":"phone-app","client_name":"Phone""#
                _ = try await caller.put("phone-app", "{\(web)}").message(Answer.self)
                try await bind(device).expectProblem(.messageRefused, 403)
                _ = try await caller.put("phone-app", #"{\#(web),"binds_devices":true,"revision":1}"#).message(
                    Answer.self)
                let id = try await bind(device).message(BindingResult.self).device
                let grant = try await logIn(id).message(TokenGrant.self)
                #expect(try await caller.devices(by: device, token: grant.accessToken).status == .ok)

                _ = try await caller.remove("phone-app")
                try await logIn(id).expectOAuthError(.invalidGrant, .messageRefused)
                try await caller.devices(by: device, token: grant.accessToken).expectProblem(.accessTokenRefused, 401)
                try await caller.refresh(grant.refreshToken, by: device)
                    .expectOAuthError(.invalidGrant, .refreshTokenRefused)
                #expect(try await caller.introspect(grant.accessToken.rawValue).text == #"{"active":false}"#)
                #expect(try await caller.introspect(grant.refreshToken.rawValue).text == #"{"active":false}"#)

                // The device stays bound.
                _ = try await caller.put("phone-app", #"{\#(web),"binds_devices":true}"#).message(Answer.self)
                #expect(try await logIn(id).status == .ok)
            }
        }
    }

    @Test("The device policy of the app decides at a binding; without one, the server's policy does")
    func devicePolicy() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let first = TestDevice()
            let id = try await caller.bind(first, to: alice)
            _ = try await caller.bind(TestDevice(), to: alice)
            #expect(try await caller.logIn(first, id: id, user: alice).status == .ok)
            let app = #"{"client_id":"nightlatch","client_name":"App","device_policy":"one"}"#
            _ = try await caller.put("nightlatch", app).message(Answer.self)
            _ = try await caller.bind(TestDevice(), to: alice)
            try await caller.logIn(first, id: id, user: alice).expectOAuthError(.invalidClient, .deviceReplaced, 401)
        }
    }

    @Test("Another process's change takes effect within six seconds")
    func otherProcess() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store) { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            var app = try TestApp.new("nightlatch")
            app.devicePolicy = .one
            _ = try await store.putApp(app, replacing: nil, by: .operator)
            try await TestTime.after(.seconds(6)) {
                _ = try await caller.bind(TestDevice(), to: alice)
                try await caller.logIn(device, id: id, user: alice)
                    .expectOAuthError(.invalidClient, .deviceReplaced, 401)
            }
        }
    }
}

extension TestCaller {
    fileprivate func app(_ id: String) async throws -> TestResponse {
        try await call(.get, "/v1/apps/" + id, headers: backendHeaders)
    }

    fileprivate func put(_ id: String, _ body: String) async throws -> TestResponse {
        let headers = backendHeaders.merging(["Content-Type": "application/json"]) { own, _ in own }
        return try await call(.post, "/v1/apps/" + id, headers: headers, body: body)
    }

    fileprivate func remove(_ id: String) async throws -> TestResponse {
        try await call(.post, "/v1/apps/\(id)/remove", headers: backendHeaders)
    }
}
