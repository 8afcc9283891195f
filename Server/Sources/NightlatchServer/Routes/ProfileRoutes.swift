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
            try await backend.admit(request, context, for: .profilesRead)
            return try await profiles.profile(of: request.queriedUser())
        }
        routes.serve(.setProfile) { request, context in
            let actor = try await backend.admit(request, context, for: .profilesWrite)
            return try await profiles.set(context.message(of: request), by: actor)
        }
        routes.serve(.removeProfile) { request, context in
            let actor = try await backend.admit(request, context, for: .profilesWrite)
            return try await profiles.remove(context.message(of: request), by: actor)
        }
    }
}
