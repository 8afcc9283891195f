import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchWire

/// The routes of journeys, at PingAM's paths.
struct JourneyRoutes {
    let configuration: JourneyConfiguration
    let cookie: JourneyCookie
    let journeys: JourneyCeremony
    let devices: JourneyDevices
    let backend: BackendAccess
    let clientAddress: ClientAddress
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        for context in ["", configuration.contextPath].compactMap(\.self) {
            for realm in ["/json/realms/:realm", "/json/realms/root/realms/:realm"] {
                addJourneys(to: routes, at: context + realm)
                let devices = context + realm + "/users/:user/devices"
                addDevices(to: routes, at: devices + "/2fa/binding")
                for kind in JourneyDevices.unservedKinds { addUnservedDevices(to: routes, at: devices + "/" + kind) }
            }
            // Requests for PingAM's other paths get a refusal in PingAM's error format, which clients parse.
            routes.refuseOthers(under: context + "/json")
        }
    }

    private func addJourneys(to routes: RouteGroup, at path: String) {
        let (configuration, cookie, journeys, devices, tally) = (configuration, cookie, journeys, devices, refusals)
        let clientAddress = clientAddress
        routes.on(path + "/authenticate", .post) { request, context in
            try configuration.require(context)
            let query = try request.journeyQuery()
            let body = try context.optionalMessage(of: request, as: JSONValue.self, limits: .journeyStep)
            var asked = JourneyCeremony.Request(request, query: query, cookie)
            asked.customer = clientAddress.customer(of: request, context)
            let answer: JourneyAnswer
            if let authID = body?["authId"] {
                guard let authID = authID.string, let callbacks = body?["callbacks"].flatMap(CallbackAnswers.init)
                else {
                    throw Refusal.malformedRequest
                }
                answer = try await journeys.goOn(authID, answers: callbacks, asked)
            } else if query["suspendedId"] != nil {
                answer = JourneyAnswer(.refused(.noSuspendedJourney))
            } else {
                guard query["authIndexType"] ?? "service" == "service" else { throw Refusal.malformedRequest }
                answer = try await journeys.begin(asked)
            }
            context.logger.info(
                "Walked a journey",
                metadata: ["journey": .string(answer.journey ?? ""), "passed": .string(answer.trace)])
            // A refused journey is an answer, not an error, so its refusals are not counted elsewhere.
            for refusal in answer.refusals {
                tally.note(refusal)
                CeremonyMetrics.refused(refusal.code)
            }
            var response = answer.response
            if case .succeeded(let token, _, _) = answer.result {
                CeremonyMetrics.journeys.increment()
                if let token { response.setCookie(cookie.set(token)) }
            }
            return response
        }
        routes.on(path + "/sessions", .post) { request, context in
            try configuration.require(context)
            let token = cookie.token(in: request)
            switch try request.journeyQuery()["_action"] {
            case "logout":
                var response = Response(try await devices.signOff(devices.admit(token)))
                // Does not remove the cookie of another session, which the client may have begun since.
                if let token, cookie.value(in: request)?.isExactly(token) == true {
                    response.setCookie(cookie.removal())
                }
                return response
            case "getSessionInfo": return Response(try await devices.information(for: devices.admit(token)))
            default: throw Refusal.malformedRequest
            }
        }
    }

    private func addDevices(to routes: RouteGroup, at path: String) {
        let devices = devices
        routes.on(path, .get) { request, context in
            Response(try await devices.list(for: keeper(request, context, .journeyKeysRead)))
        }
        routes.on(path + "/:device", .put) { request, context in
            let keeper = try await keeper(request, context, .journeyKeysWrite)
            return Response(
                try await devices.rename(context.decoded("device"), to: context.message(of: request), for: keeper))
        }
        routes.on(path + "/:device", .delete) { request, context in
            let keeper = try await keeper(request, context, .journeyKeysRemove)
            return Response(try await devices.remove(context.decoded("device"), for: keeper))
        }
    }

    /// Adds the routes of a kind of devices that no user has. The vendor's sample lists all kinds.
    private func addUnservedDevices(to routes: RouteGroup, at path: String) {
        routes.on(path, .get) { request, context in
            _ = try await keeper(request, context, .journeyKeysRead)
            return Response(JourneyDevices.page(of: []))
        }
        for method in [.put, .delete] as [HTTPRequest.Method] {
            routes.on(path + "/:device", method) { request, context async throws -> Response in
                _ = try await keeper(request, context, method == .put ? .journeyKeysWrite : .journeyKeysRemove)
                throw Refusal.notFound
            }
        }
    }

    /// Admits the user, or a backend with `scope` for any user.
    private func keeper(
        _ request: Request,
        _ context: RelyingPartyRequestContext,
        _ scope: APIScope
    ) async throws(Refusal) -> JourneyDevices.Keeper {
        try configuration.require(context)
        if request.headers[.authorization] != nil {
            let actor = try await backend.admit(request, context, for: scope)
            return try await devices.admitBackend(user: context.decoded("user"), by: actor)
        }
        return try await devices.admit(cookie.token(in: request), user: context.decoded("user"))
    }
}

extension JourneyConfiguration {
    /// Refuses a path that names another realm.
    fileprivate func require(_ context: RelyingPartyRequestContext) throws(Refusal) {
        guard context.decoded("realm") == realm.name else { throw .notFound }
    }
}

extension JourneyCeremony.Request {
    fileprivate init(_ request: Request, query: [String: String], _ cookie: JourneyCookie) {
        self.init(
            journey: query["authIndexValue"], omitsSession: query["noSession"] == "true",
            forcesAuthentication: query["ForceAuth"] == "true",
            token: cookie.token(in: request).flatMap(JourneyToken.init),
            languages: AcceptedLanguages(request.headers[.acceptLanguage]))
    }
}

extension Request {
    fileprivate func journeyQuery() throws(Refusal) -> [String: String] {
        guard let query = FormFields(Data((uri.query ?? "").utf8)) else { throw .malformedRequest }
        return query.fields
    }
}

extension RequestContext {
    /// Returns a path parameter with its percent-encoding removed.
    func decoded(_ name: String) -> String? { parameters.get(name)?.removingPercentEncoding }
}

extension JSONLimits {
    /// The limits of a step's body. Deeper than those of other messages: one of the SDKs sends each callback back with
    /// its outputs, and a policy among these is nested ten deep.
    fileprivate static let journeyStep = JSONLimits(
        byteCount: JSONLimits.request.byteCount, depth: 16, combiningRunLimit: JSONLimits.request.combiningRunLimit)
}
