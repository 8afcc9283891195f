import Hummingbird
import NightlatchWire

/// What the app's backend asks for.
struct EnrolmentRoutes<Store: RelyingPartyStore> {
    let enrolment: EnrolmentCeremony<Store>
    let backendKey: BackendKey

    func add(to router: some RouterMethods) {
        let (enrolment, backendKey) = (enrolment, backendKey)
        router.serve(.enrolmentCodes) { request, _ throws(Refusal) in
            guard let credentials = request.credentials(scheme: "Bearer"),
                ConstantTime.isEqual(credentials, backendKey.rawValue)
            else { throw .backendKeyRefused }
            return try await enrolment.createCode(request.message())
        }
    }
}
