import HTTPTypes
import Hummingbird
import NightlatchServer

extension ConsoleRoutes {
    func addSession(to routes: RouteGroup) {
        routes.on(ConsolePath.signIn.rawValue, .get) { request, _ in
            let hasEnded = request.uri.queryParameters["ended"] != nil
            return renderer.response(
                signInPage(notice: hasEnded ? ConsoleRefusal.sessionEnded.sentence : nil), for: nil)
        }
        routes.on(ConsolePath.signIn.rawValue, .post) { request, context in
            do throws(ConsoleRefusal) {
                let session = try await access.signIn(request, context)
                var response = Response(seeOther: links.link(.overview))
                response.setCookie(access.cookie(for: session))
                return response
            } catch {
                // `ConsoleAnswers` renders a refusal that a limit caused, and the endpoint counts it in `LimitLog`.
                if case .refused(let refusal) = error, refusal.limitCause != nil { throw refusal }
                error.note(in: refusals, context.logger)
                guard error == .adminKeyRefused else { return renderer.response(error, for: nil) }
                return renderer.response(signInPage(problem: error), for: nil)
            }
        }
        addPhoneSignIn(to: routes)
        routes.on(ConsolePath.signOut.rawValue, .post) { request, context in
            do throws(ConsoleRefusal) {
                let session = try access.sessionOfAnyAge(request)
                try access.requireOwnForm(context.formFields(of: request), in: request, of: session)
                try await access.signOut(session)
                var response = Response(seeOther: links.link(.signIn))
                response.setCookie(access.removalCookie)
                return response
            } catch {
                error.note(in: refusals, context.logger)
                return signInNeeded(error)
            }
        }
    }

    /// Adds the sign-in with a phone, if this process serves the login page.
    private func addPhoneSignIn(to routes: RouteGroup) {
        guard hasLoginPage else { return }
        routes.on(ConsolePath.phoneSignIn.rawValue, .post) { request, context in
            do throws(ConsoleRefusal) {
                let (address, cookie) = try access.beginSignIn(request, context)
                var response = Response(seeOther: address)
                response.setCookie(cookie)
                return response
            } catch {
                error.note(in: refusals, context.logger)
                return renderer.response(error, for: nil)
            }
        }
        routes.on(ConsolePath.signedIn.rawValue, .get) { request, context in
            // A program that only looks at the page must not use up the login.
            guard request.method == .get else { return Response(status: .ok) }
            do throws(ConsoleRefusal) {
                let session = try await access.finishSignIn(request)
                var response = Response(seeOther: links.link(.overview))
                response.setCookie(access.cookie(for: session))
                return response
            } catch {
                error.note(in: refusals, context.logger)
                return renderer.response(error, for: nil)
            }
        }
    }

    private func signInPage(notice: String? = nil, problem: ConsoleRefusal? = nil) -> ConsolePage {
        ConsolePage(
            template: .signIn, title: problem?.heading ?? "Sign in", status: problem?.status ?? .ok,
            content: SignInContent(
                action: links.link(.signIn), phoneAction: hasLoginPage ? links.link(.phoneSignIn) : nil, notice: notice,
                problem: problem?.sentence))
    }
}

/// The values for the sign-in template.
private struct SignInContent {
    let action: String
    /// The address to which the button for a phone sends; nil without a login page.
    let phoneAction: String?
    let notice: String?
    let problem: String?
}
