import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    /// Serves a page to operators.
    func page(
        _ path: ConsolePath,
        on routes: RouteGroup,
        _ make: @escaping @Sendable (ConsoleRequest) async throws(ConsoleRefusal) -> ConsolePage
    ) {
        routes.on(path.rawValue, .get) { request, context in
            await answer(request, context, needing: path.need) { caller throws(ConsoleRefusal) in
                let fields = try request.pageFields()
                var page = try await make(ConsoleRequest(caller: caller, fields: fields))
                page.message = fields.fields[ConsoleMessage.field].flatMap(ConsoleMessage.init)
                return renderer.response(page, for: caller)
            }
        }
    }

    /// The result of an action.
    enum ActionEnd {
        /// The action is done. The browser is redirected to a page with the message, so reloading does not repeat the
        /// action.
        case done(at: String)
        /// The page asks the operator to correct the input of the form.
        case page(ConsolePage)
        /// The answer is a file.
        case file(Response)
    }

    /// Handles a form that an operator sends. Refuses a form that the console has not shown in this session.
    func action(
        _ path: ConsolePath,
        on routes: RouteGroup,
        _ act: @escaping @Sendable (ConsoleRequest) async throws(ConsoleRefusal) -> ActionEnd
    ) {
        routes.on(path.rawValue, .post) { request, context in
            await answer(request, context, needing: path.actionNeed) { caller throws(ConsoleRefusal) in
                let fields = try context.formFields(of: request)
                try access.requireOwnForm(fields, in: request, of: caller.session)
                return switch try await act(ConsoleRequest(caller: caller, fields: fields)) {
                case .done(let address): Response(seeOther: address)
                case .page(let page): renderer.response(page, for: caller)
                case .file(let response): response
                }
            }
        }
    }

    /// Answers a request of a signed-in party that has what `need` describes. Others get the sign-in page or a refusal.
    func answer(
        _ request: Request,
        _ context: RelyingPartyRequestContext,
        needing need: ConsoleNeed,
        _ work: (ConsoleCaller) async throws(ConsoleRefusal) -> Response
    ) async -> Response {
        let caller: ConsoleCaller
        do throws(ConsoleRefusal) {
            caller = try await access.admit(request)
        } catch {
            error.note(in: refusals, context.logger)
            return signInNeeded(error)
        }
        var response: Response
        do throws(ConsoleRefusal) {
            if let person = caller.person, !caller.has(need) { throw .roleMissing(need, person.role) }
            response = try await work(caller)
        } catch {
            error.note(in: refusals, context.logger)
            response = renderer.response(error, for: caller)
        }
        // A session that was ended during this request must not be renewed.
        if !response.headers.contains(.setCookie), let cookie = access.renewedCookie(for: caller.session) {
            response.setCookie(cookie)
        }
        return response
    }

    /// The work of an operator, in the name of the caller and with the reason for one action.
    func administration(of request: ConsoleRequest, because reason: AuditReason? = nil) -> Administration {
        administration.acting(as: request.caller.party).because(reason)
    }

    func signInNeeded(_ refusal: ConsoleRefusal) -> Response {
        switch refusal {
        case .signedOut: return Response(seeOther: links.link(.signIn))
        case .sessionEnded: break
        default: return renderer.response(refusal, for: nil)
        }
        var response = Response(seeOther: links.link(.signIn, ("ended", "1")))
        response.setCookie(access.removalCookie)
        return response
    }
}

extension ConsoleRefusal {
    /// Counts and logs the refusal.
    func note(in refusals: RefusalTally, _ logger: Logger) {
        if isAudited { refusals.add(1, of: code) }
        CeremonyMetrics.refused(code)
        switch self {
        case .refused(.store(let error)):
            logger.error("The store does not answer", metadata: ["reason": .string(error.description)])
        // The endpoint counts a refusal that a limit caused in `LimitLog`.
        case .refused(let refusal) where refusal.limitCause != nil: return
        case .refused(.internalError): logger.error("Failed to answer a request")
        case .adminKeyRefused: logger.warning("Refused a sign-in to the console")
        default: logger.info("Refused a request to the console", metadata: ["code": .string(code.rawValue)])
        }
    }
}
