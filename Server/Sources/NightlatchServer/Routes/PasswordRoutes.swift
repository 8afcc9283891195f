import Hummingbird
import NightlatchWire

/// What is done with users' passwords: the backend sets and verifies them, and a device gets an enrolment code for one.
struct PasswordRoutes<Store: RelyingPartyStore> {
    let passwords: PasswordCheck<Store>
    let enrolment: EnrolmentCeremony<Store>
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (passwords, enrolment, backend) = (passwords, enrolment, backend)
        routes.serve(.setPassword) { request, _ throws(Refusal) in
            try backend.admit(request)
            return try await passwords.set(request.message())
        }
        routes.serve(.verifyPassword) { request, _ throws(Refusal) in
            try backend.admit(request)
            return try await passwords.require(request.message())
        }
        routes.serve(.enrolByPassword) { request, _ throws(Refusal) in
            let verified = try await passwords.require(request.message())
            return try await enrolment.createCode(EnrolmentCodeRequest(user: verified.user))
        }
    }
}
