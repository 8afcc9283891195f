import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which the app's backend manages the policies of apps and users.
struct PolicyRoutes {
    let policies: BackendPolicies
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (policies, backend) = (policies, backend)
        routes.serve(.appPolicy) { request, context in
            try await backend.admit(request, context, for: .policiesRead)
            return try await policies.policy(of: .app(context.clientID()))
        }
        routes.serve(.setAppPolicy) { request, context in
            let actor = try await backend.admit(request, context, for: .policiesWrite)
            return try await policies.set(context.message(of: request), of: .app(context.clientID()), by: actor)
        }
        routes.serve(.userPolicy) { request, context in
            try await backend.admit(request, context, for: .policiesRead)
            return try await policies.policy(of: .user(request.queriedUser()))
        }
        routes.serve(.setUserPolicy) { request, context in
            let actor = try await backend.admit(request, context, for: .policiesWrite)
            let message: UserPolicyRequest = try context.message(of: request)
            return try await policies.set(message.policy, of: .user(message.user), by: actor)
        }
    }
}
