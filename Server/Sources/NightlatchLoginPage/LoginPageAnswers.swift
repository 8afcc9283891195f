import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer

/// Adds the security headers to every answer of the login page, and answers refusals with pages.
struct LoginPageAnswers: RouteStep {
    /// Allows the style sheet, the page's script and its requests, and forms of this host; no framing by other pages.
    private static let contentSecurityPolicy = """
        default-src 'none'; style-src 'self'; script-src \(LoginPageScript.script.source); connect-src 'self'; \
        form-action 'self'; frame-ancestors 'none'; base-uri 'none'
        """

    let renderer: LoginPageRenderer
    let refusals: RefusalTally

    /// Answers a request in the language of the client.
    func answer(
        _ request: Request, _ context: RelyingPartyRequestContext,
        _ work: (LoginPageTexts) async throws -> Response
    ) async -> Response {
        let texts = LoginPageTexts(for: AcceptedLanguages(request.headers[.acceptLanguage]))
        do {
            return try await work(texts)
        } catch {
            return answer(to: error, texts, context)
        }
    }

    /// The refusals of earlier steps are answered in English, because the request is not known here.
    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        var response: Response
        switch outcome {
        case .success(let answer): response = answer
        case .failure(let error): response = answer(to: error, .english, context)
        }
        // With `no-referrer`, browsers without fetch metadata would send forms with the origin `null`.
        if !response.headers.contains(.referrerPolicy) { response.headers[.referrerPolicy] = "same-origin" }
        // An app may open the page in a window of its own, and waits for that window.
        if !response.headers.contains(.crossOriginOpenerPolicy) {
            response.headers[.crossOriginOpenerPolicy] = "unsafe-none"
        }
        response.headers.protectPage(contentSecurityPolicy: Self.contentSecurityPolicy)
        outcome = .success(response)
    }

    private func answer(
        to error: any Error, _ texts: LoginPageTexts, _ context: RelyingPartyRequestContext
    ) -> Response {
        let answer = RefusalAnswer(to: error)
        answer.note(error, in: refusals, context)
        return renderer.refusal(answer, texts)
    }
}
