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
            try backend.admit(request, context)
            return try await enrolment.createCode(context.message(of: request), for: .backend)
        }
    }
}
