import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which the app's backend manages registered apps.
struct AppRoutes {
    let apps: BackendApps
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (apps, backend) = (apps, backend)
        routes.serve(.apps) { request, context in
            try await backend.admit(request, context, for: .appsRead)
            return try await apps.apps()
        }
        routes.serve(.app) { request, context in
            try await backend.admit(request, context, for: .appsRead)
            return try await apps.app(context.clientID())
        }
        routes.serve(.putApp) { request, context in
            let actor = try await backend.admit(request, context, for: .appsWrite)
            return try await apps.put(context.message(of: request), as: context.clientID(), by: actor)
        }
        routes.serve(.removeApp) { request, context in
            let actor = try await backend.admit(request, context, for: .appsWrite)
            return try await apps.remove(context.clientID(), by: actor)
        }
    }
}

extension RelyingPartyRequestContext {
    /// Returns the app's id in the request's path.
    ///
    /// - Throws: `Refusal.notFound` if the id is malformed.
    func clientID() throws(Refusal) -> ClientID {
        guard let id = parameters.get("client").flatMap(ClientID.init) else { throw .notFound }
        return id
    }
}
