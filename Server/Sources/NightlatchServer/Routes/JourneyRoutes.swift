import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NightlatchWire

/// The routes of journeys, at the addresses that PingAM has them at.
struct JourneyRoutes<Store: RelyingPartyStore> {
    let configuration: JourneyConfiguration
    let journeys: JourneyCeremony<Store>
    let devices: JourneyDevices<Store>
    let backend: BackendAccess
    let clientAddress: ClientAddress
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        for context in ["", configuration.contextPath].compactMap(\.self) {
            for realm in ["/json/realms/:realm", "/json/realms/root/realms/:realm"] {
                addJourneys(to: routes, at: context + realm)
                addDevices(to: routes, at: context + realm + "/users/:user/devices/2fa/binding")
            }
        }
    }

    private func addJourneys(to routes: RouteGroup, at path: String) {
        let (configuration, journeys, devices, tally) = (configuration, journeys, devices, refusals)
        let clientAddress = clientAddress
        routes.on(path + "/authenticate", .post) { request, context in
            try configuration.require(context)
            let query = try request.journeyQuery()
            let body = try context.optionalMessage(of: request, as: OrderedJSON.self)
            var asked = JourneyCeremony<Store>.Request(request, query: query, configuration)
            asked.customer = clientAddress.customer(of: request, context)
            let answer: JourneyAnswer
            if let authID = body?["authId"] {
                guard let authID = authID.text, let callbacks = body?["callbacks"].flatMap(CallbackAnswers.init) else {
                    throw Refusal.malformedRequest
                }
                answer = try await journeys.goOn(authID, answers: callbacks, asked)
            } else {
                // A suspended journey cannot be resumed: none is ever suspended.
                guard query["suspendedId"] == nil, query["authIndexType"] ?? "service" == "service" else {
                    throw Refusal.malformedRequest
                }
                answer = try await journeys.begin(asked)
            }
            context.logger.info(
                "Walked a journey",
                metadata: ["journey": .string(answer.journey ?? ""), "passed": .string(answer.trace)])
            // A refused journey is an answer, not an error, so nobody else hears of it.
            for refusal in answer.refusals {
                tally.note(refusal)
                CeremonyMetrics.refused(refusal.code)
            }
            if case .succeeded = answer.result { CeremonyMetrics.journeys.increment() }
            return answer.response
        }
        routes.on(path + "/sessions", .post) { request, context in
            try configuration.require(context)
            let token = request.journeyToken(configuration)
            switch try request.journeyQuery()["_action"] {
            case "logout": return Response(try await devices.signOff(token))
            case "getSessionInfo": return Response(try await devices.information(for: devices.admit(token)))
            default: throw Refusal.malformedRequest
            }
        }
    }

    private func addDevices(to routes: RouteGroup, at path: String) {
        let (configuration, devices, backend) = (configuration, devices, backend)
        @Sendable func keeper(
            _ request: Request,
            _ context: RelyingPartyRequestContext
        ) async throws(Refusal) -> JourneyDevices<Store>.Keeper {
            try configuration.require(context)
            if request.headers[.authorization] != nil {
                try backend.admit(request, context)
                return try await devices.admitBackend(user: context.decoded("user"))
            }
            return try await devices.admit(request.journeyToken(configuration), user: context.decoded("user"))
        }
        routes.on(path, .get) { request, context in
            Response(try await devices.list(for: keeper(request, context)))
        }
        routes.on(path + "/:device", .put) { request, context in
            let keeper = try await keeper(request, context)
            return Response(
                try await devices.rename(context.decoded("device"), to: context.message(of: request), for: keeper))
        }
        routes.on(path + "/:device", .delete) { request, context in
            let keeper = try await keeper(request, context)
            return Response(try await devices.remove(context.decoded("device"), for: keeper))
        }
    }
}

extension JourneyConfiguration {
    /// Refuses a path that names another realm.
    fileprivate func require(_ context: RelyingPartyRequestContext) throws(Refusal) {
        guard context.decoded("realm") == realm.name else { throw .notFound }
    }
}

extension JourneyCeremony.Request {
    fileprivate init(_ request: Request, query: [String: String], _ configuration: JourneyConfiguration) {
        self.init(
            journey: query["authIndexValue"], omitsSession: query["noSession"] == "true",
            forcesAuthentication: query["ForceAuth"] == "true",
            token: request.journeyToken(configuration).flatMap(JourneyToken.init),
            languages: AcceptedLanguages(request.headers[.acceptLanguage]))
    }
}

extension Request {
    fileprivate func journeyQuery() throws(Refusal) -> [String: String] {
        guard let query = FormFields(Data((uri.query ?? "").utf8)) else { throw .malformedRequest }
        return query.fields
    }

    /// The token in the header that is called like the cookie.
    fileprivate func journeyToken(_ configuration: JourneyConfiguration) -> String? {
        HTTPField.Name(configuration.cookieName).flatMap { headers[$0] }
    }
}

extension RequestContext {
    /// A part of the path, its escapes resolved.
    fileprivate func decoded(_ name: String) -> String? { parameters.get(name)?.removingPercentEncoding }
}
