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
            try backend.admit(request, context)
            return try await apps.apps()
        }
        routes.serve(.app) { request, context in
            try backend.admit(request, context)
            return try await apps.app(context.clientID())
        }
        routes.serve(.putApp) { request, context in
            try backend.admit(request, context)
            return try await apps.put(context.message(of: request), as: context.clientID())
        }
        routes.serve(.removeApp) { request, context in
            try backend.admit(request, context)
            return try await apps.remove(context.clientID())
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
