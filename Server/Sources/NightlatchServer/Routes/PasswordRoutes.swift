import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// What is done with users' passwords: the backend sets and verifies them, and a device gets an enrolment code for one.
struct PasswordRoutes {
    let passwords: PasswordCheck
    let enrolment: EnrolmentCeremony
    let backend: BackendAccess
    let clientAddress: ClientAddress

    /// - Parameters:
    ///   - routes: Where the backend's lie.
    ///   - limited: Where those lie that anybody may ask for.
    func add(to routes: RouteGroup, _ limited: RouteGroup) {
        let (passwords, enrolment, backend, clientAddress) = (passwords, enrolment, backend, clientAddress)
        routes.serve(.setPassword) { request, context in
            try backend.admit(request, context)
            return try await passwords.set(context.message(of: request))
        }
        routes.serve(.verifyPassword) { request, context in
            try backend.admit(request, context)
            let credentials: Credentials = try context.message(of: request)
            try await passwords.require(credentials, from: .backend)
            return CredentialsResult(user: credentials.user)
        }
        limited.serve(.enrolByPassword) { request, context in
            let credentials: Credentials = try context.message(of: request)
            let password = try await passwords.require(
                credentials, from: .client(clientAddress.customer(of: request, context)))
            return try await enrolment.createCode(
                EnrolmentCodeRequest(user: credentials.user), for: .user, showing: password)
        }
    }
}
