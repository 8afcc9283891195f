import Hummingbird
import NightlatchWire

/// What the app's backend asks for.
struct EnrolmentRoutes<Store: RelyingPartyStore> {
    let enrolment: EnrolmentCeremony<Store>
    let backendKey: BackendKey

    func add(to router: some RouterMethods) {
        let (enrolment, backendKey) = (enrolment, backendKey)
        router.serve(.enrolmentCodes) { request, _ throws(Refusal) in
            try request.require(backendKey)
            return try await enrolment.createCode(request.message())
        }
    }
}
