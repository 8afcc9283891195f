import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which the app's backend manages the profiles of users.
struct ProfileRoutes {
    let profiles: BackendProfiles
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (profiles, backend) = (profiles, backend)
        routes.serve(.profile) { request, context in
            try backend.admit(request, context)
            return try await profiles.profile(of: request.queriedUser())
        }
        routes.serve(.setProfile) { request, context in
            try backend.admit(request, context)
            return try await profiles.set(context.message(of: request))
        }
        routes.serve(.removeProfile) { request, context in
            try backend.admit(request, context)
            return try await profiles.remove(context.message(of: request))
        }
    }
}
