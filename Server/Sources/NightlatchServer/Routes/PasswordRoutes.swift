import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The password routes. The backend sets and verifies passwords; a client gets an enrolment code for a password.
struct PasswordRoutes {
    let passwords: PasswordCheck
    let enrolment: EnrolmentCeremony
    let backend: BackendAccess
    let clientAddress: ClientAddress

    /// Adds the routes.
    ///
    /// - Parameters:
    ///   - routes: The group for the backend's routes.
    ///   - limited: The group for the routes that any client may call.
    func add(to routes: RouteGroup, _ limited: RouteGroup) {
        let (passwords, enrolment, backend, clientAddress) = (passwords, enrolment, backend, clientAddress)
        routes.serve(.setPassword) { request, context in
            let actor = try await backend.admit(request, context, for: .passwordsWrite)
            return try await passwords.set(context.message(of: request), by: actor)
        }
        routes.serve(.verifyPassword) { request, context in
            try await backend.admit(request, context, for: .passwordsVerify)
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
