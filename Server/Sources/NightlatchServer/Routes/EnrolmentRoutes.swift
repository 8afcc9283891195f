import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The route by which the app's backend creates enrolment codes.
struct EnrolmentRoutes {
    let enrolment: EnrolmentCeremony
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (enrolment, backend) = (enrolment, backend)
        routes.serve(.enrolmentCodes) { request, context in
            let actor = try await backend.admit(request, context, for: .enrolmentWrite)
            return try await enrolment.createCode(context.message(of: request), for: actor)
        }
    }
}
