import Hummingbird
import NightlatchWire

/// What the app's backend asks for.
struct EnrolmentRoutes<Store: RelyingPartyStore> {
    let enrolment: EnrolmentCeremony<Store>
    let backend: BackendAccess

    func add(to router: some RouterMethods) {
        let (enrolment, backend) = (enrolment, backend)
        router.serve(.enrolmentCodes) { request, _ throws(Refusal) in
            try backend.admit(request)
            return try await enrolment.createCode(request.message())
        }
    }
}
