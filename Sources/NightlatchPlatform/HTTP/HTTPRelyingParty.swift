import Foundation
public import Nightlatch
public import NightlatchWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The relying party over HTTP.
///
/// It keeps nothing: no cookies, no cache, no credentials. Redirects are not followed, since a relying party has none.
public struct HTTPRelyingParty: RelyingParty {
    public let issuer: Issuer
    private let session: URLSession

    /// - Parameters:
    ///   - issuer: The relying party's URL, from the app's configuration.
    ///   - timeout: How long to wait for an answer, in whole seconds; a fraction counts as one more.
    public init(issuer: Issuer, timeout: Duration = .seconds(30)) {
        self.issuer = issuer
        let configuration = URLSessionConfiguration.ephemeral
        // Foundation on Linux drops fractions, and takes no time at all for what is left of less than a second.
        configuration.timeoutIntervalForRequest = max(1, (timeout / .seconds(1)).rounded(.up))
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    public func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge {
        try await send(json(request, to: .beginBinding))
    }

    public func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult {
        try await send(json(answer, to: .finishBinding))
    }

    public func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge {
        try await send(json(request, to: .beginLogin))
    }

    public func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant {
        var message = try message(.token, path: Route.token.path)
        message.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        message.setValue(proof, forHTTPHeaderField: "DPoP")
        message.httpBody = FormEncoding.encode(request.fields)
        return try await send(message)
    }

    public func devices(_ authorization: Authorization) async throws(RelyingPartyError) -> DeviceList {
        try await send(authorized(.devices, path: Route.devices.path, by: authorization))
    }

    public func revoke(
        _ device: DeviceID,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary {
        try await send(authorized(.revokeDevice, path: Route.revokeDevice.path(device: device), by: authorization))
    }

    private func json(_ body: some Encodable, to route: Route) throws(RelyingPartyError) -> URLRequest {
        var message = try message(route, path: route.path)
        message.setValue("application/json", forHTTPHeaderField: "Content-Type")
        message.httpBody = StrictJSON.encode(body)
        return message
    }

    private func authorized(
        _ route: Route,
        path: String,
        by authorization: Authorization
    ) throws(RelyingPartyError) -> URLRequest {
        var message = try message(route, path: path)
        message.setValue("DPoP \(authorization.accessToken.rawValue)", forHTTPHeaderField: "Authorization")
        message.setValue(authorization.proof, forHTTPHeaderField: "DPoP")
        return message
    }

    private func message(_ route: Route, path: String) throws(RelyingPartyError) -> URLRequest {
        guard let url = issuer.url(path: path) else { throw .unreachable(reason: "there is no URL for \(path)") }
        var message = URLRequest(url: url)
        message.httpMethod = route.method.rawValue
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        return message
    }

    private func send<Answer: Decodable>(_ message: URLRequest) async throws(RelyingPartyError) -> Answer {
        let body: Data
        let response: URLResponse
        do {
            (body, response) = try await session.data(for: message)
        } catch let error as URLError where error.code != .cancelled {
            throw .unreachable(reason: error.localizedDescription)
        } catch {
            throw .cancelled
        }
        guard let status = (response as? HTTPURLResponse)?.statusCode else { throw .unintelligible(status: 0) }
        guard (200..<300).contains(status) else { throw Self.refusal(body, status: status) }
        do {
            return try StrictJSON.decode(Answer.self, from: body)
        } catch {
            throw .unintelligible(status: status)
        }
    }

    /// OAuth routes refuse in one form, all others in another.
    private static func refusal(_ body: Data, status: Int) -> RelyingPartyError {
        if let problem = try? StrictJSON.decode(Problem.self, from: body) {
            .refused(RelyingPartyRefusal(code: problem.code, status: status, title: problem.title))
        } else if let error = try? StrictJSON.decode(OAuthError.self, from: body) {
            .refused(RelyingPartyRefusal(code: error.code, status: status, title: error.description))
        } else {
            .unintelligible(status: status)
        }
    }
}

/// Answers every redirect by staying where it is.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
