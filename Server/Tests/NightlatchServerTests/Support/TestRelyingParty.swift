import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NightlatchConsole
import NightlatchLoginPage
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

/// A relying party for tests.
enum TestRelyingParty {
    /// Runs `body` against a relying party over `store`, in process or over a socket.
    static func with(
        _ store: some RelyingPartyStore,
        setup: TestingSetup = .router,
        masterKey: MasterKey = .random(),
        adminKey: AdminKey? = nil,
        hasLoginPage: Bool = true,
        configuration: RelyingPartyConfiguration? = nil,
        logger: Logger = .silent,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        let backendKey = try #require(BackendKey(rawValue: "the-backend-key"))
        let configuration = try configuration ?? RelyingPartyConfiguration(issuer: Fixture.issuer())
        let issuer = configuration.issuer
        let additions = [adminKey.map { .console(adminKey: $0) }, hasLoginPage ? .loginPage : nil] as [RouteAddition?]
        let application = try await buildApplication(
            configuration: configuration, store: store, masterKey: masterKey, backendKey: backendKey,
            additions: additions.compactMap(\.self), clock: TestTime.clock, logger: logger)
        try await application.test(setup) { client in
            try await body(
                TestCaller(
                    client: client, issuer: issuer, backendKey: backendKey,
                    nonces: DPoPNonces(keyring: MasterKeyring(masterKey))))
        }
    }
}

extension Logger {
    /// Logs only critical events.
    fileprivate static var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}

/// A caller of a relying party's routes.
struct TestCaller: Sendable {
    let client: any TestClientProtocol
    let issuer: Issuer
    let backendKey: BackendKey
    /// The source of the relying party's nonces.
    let nonces: DPoPNonces

    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(HTTPField(name: try #require(.init(name)), value: value)) }
        return try await client.execute(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
    }

    func post(_ message: some Encodable, to route: Route, headers: [String: String] = [:]) async throws -> TestResponse
    {
        try await call(
            .post, route.path, headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own },
            body: String(decoding: StrictJSON.encode(message), as: UTF8.self))
    }

    func token(_ request: TokenRequest, proof: String?) async throws -> TestResponse {
        try await form(request.fields, to: .token, headers: proof.map { ["DPoP": $0] } ?? [:])
    }

    func form(
        _ fields: [String: String],
        to route: Route,
        headers: [String: String] = [:]
    ) async throws -> TestResponse {
        var form = URLComponents()
        form.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        let headers = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { own, _ in own }
        let body = try #require(form.percentEncodedQuery).replacing("+", with: "%2B")
        return try await call(.post, route.path, headers: headers, body: body)
    }

    // The steps of a device's life; each must succeed.

    func code(for user: UserID) async throws -> EnrolmentCode {
        let response = try await post(
            EnrolmentCodeRequest(user: user), to: .enrolmentCodes,
            headers: ["Authorization": "Bearer " + backendKey.rawValue])
        return try response.message(EnrolmentCodeGrant.self).code
    }

    func beginBinding(_ device: TestDevice, code: EnrolmentCode) async throws -> BindingChallenge {
        try await post(BindingRequest(enrolmentCode: code, deviceKey: device.key.id), to: .beginBinding).message()
    }

    func bind(_ device: TestDevice, to user: UserID) async throws -> DeviceID {
        let begun = try await beginBinding(device, code: try await code(for: user))
        let message = try device.bindingDraft(
            user: begun.user, challenge: begun.challenge, to: issuer, name: Fixture.phone())
        let answer = BindingAnswer(handle: begun.handle, message: try message.text())
        return try await post(answer, to: .finishBinding).message(BindingResult.self).device
    }

    func beginLogin(user: UserID, device: DeviceID?) async throws -> LoginChallenge {
        try await post(LoginRequest(user: user, device: device), to: .beginLogin).message()
    }

    func logIn(_ device: TestDevice, id: DeviceID, user: UserID) async throws -> TestResponse {
        let begun = try await beginLogin(user: user, device: id)
        let assertion = try device.loginDraft(user: user, challenge: begun.challenge, to: issuer).text()
        return try await token(.login(assertion: assertion, handle: begun.handle), proof: try proof(by: device))
    }

    func revokeToken(_ text: String, by device: TestDevice) async throws -> TestResponse {
        try await form(
            ["token": text], to: .revokeToken, headers: ["DPoP": try proof(by: device, for: .revokeToken)])
    }

    func introspect(_ text: String) async throws -> TestResponse {
        try await form(
            ["token": text], to: .introspectToken, headers: ["Authorization": "Bearer " + backendKey.rawValue])
    }

    func refresh(_ token: RefreshToken, by device: TestDevice) async throws -> TestResponse {
        try await self.token(.refresh(token), proof: try proof(by: device))
    }

    func proof(
        by device: TestDevice,
        for route: Route = .token,
        path: String? = nil,
        token: AccessToken? = nil
    ) throws -> String {
        try device.proofDraft(
            method: route.method.rawValue, url: issuer.rawValue + (path ?? route.path), token: token,
            nonce: nonces.nonce(at: TestTime.current)
        ).text()
    }

    func devices(by device: TestDevice, token: AccessToken) async throws -> TestResponse {
        try await call(.get, Route.devices.path, headers: credentials(device, .devices, token: token))
    }

    func revoke(_ id: DeviceID, by device: TestDevice, token: AccessToken) async throws -> TestResponse {
        try await change(id, at: .revokeDevice, by: device, token: token)
    }

    /// Calls a route about one device.
    func change(
        _ id: DeviceID,
        at route: Route,
        by device: TestDevice,
        token: AccessToken,
        body: String? = nil
    ) async throws -> TestResponse {
        let path = route.path(device: id)
        var headers = try credentials(device, route, path: path, token: token)
        if body != nil { headers["Content-Type"] = "application/json" }
        return try await call(.post, path, headers: headers, body: body)
    }

    private func credentials(
        _ device: TestDevice,
        _ route: Route,
        path: String? = nil,
        token: AccessToken
    ) throws -> [String: String] {
        [
            "Authorization": "DPoP " + token.rawValue,
            "DPoP": try proof(by: device, for: route, path: path, token: token),
        ]
    }
}

extension TestResponse {
    var text: String { String(decoding: body.readableBytesView, as: UTF8.self) }

    /// Decodes the message of an answer that must have status 200.
    func message<Message: Decodable>(_ type: Message.Type = Message.self) throws -> Message {
        #expect(status == .ok, "\(text)")
        return try StrictJSON.decode(type, from: Data(body.readableBytesView))
    }

    /// Checks that the answer is a problem.
    func expectProblem(_ code: ProblemCode, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problem = try StrictJSON.decode(Problem.self, from: Data(body.readableBytesView))
        #expect(problem.code == code, sourceLocation: sourceLocation)
        #expect(problem.status == status, sourceLocation: sourceLocation)
        #expect(self.status.code == status, sourceLocation: sourceLocation)
        #expect(headers[.contentType] == "application/problem+json", sourceLocation: sourceLocation)
        expectChallenge(sourceLocation: sourceLocation)
    }

    /// Checks that the answer is an OAuth error.
    func expectOAuthError(
        _ word: OAuthError.Word,
        _ code: ProblemCode,
        _ status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try StrictJSON.decode(OAuthError.self, from: Data(body.readableBytesView))
        #expect(error.error == word, sourceLocation: sourceLocation)
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(self.status.code == status, sourceLocation: sourceLocation)
        #expect(headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        #expect(HTTPField.Name("Pragma").map { headers[$0] } == "no-cache", sourceLocation: sourceLocation)
        expectChallenge(sourceLocation: sourceLocation)
    }

    /// Checks that every answer with status 401, and no other, has a header that says how to authenticate.
    private func expectChallenge(sourceLocation: SourceLocation) {
        let challenge = headers[.wwwAuthenticate]
        let isGood = challenge?.hasPrefix("DPoP algs=") == true || challenge == "Bearer"
        #expect(status == .unauthorized ? isGood : challenge == nil, sourceLocation: sourceLocation)
    }
}
