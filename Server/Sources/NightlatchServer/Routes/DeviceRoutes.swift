import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which users manage their devices.
struct DeviceRoutes {
    let access: DeviceAccess
    let devices: OwnDevices
    let nonces: NonceSource
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        let (access, devices) = (access, devices)
        let routes = routes.passing(NonceAnswers(source: nonces))
            .passing(RefusalAnswers(form: .problem, tally: refusals))
        routes.serve(.devices) { request, _ in
            try await devices.list(for: access.admit(request, path: Route.devices.path))
        }
        routes.serve(.renameDevice) { request, context in
            let (device, caller) = try await access.admit(request, to: .renameDevice, context)
            return try await devices.rename(device, context.message(of: request), for: caller)
        }
        routes.serve(.blockDevice) { request, context in
            let (device, caller) = try await access.admit(request, to: .blockDevice, context)
            return try await devices.block(device, for: caller)
        }
        routes.serve(.unblockDevice) { request, context in
            let (device, caller) = try await access.admit(request, to: .unblockDevice, context)
            return try await devices.unblock(device, for: caller)
        }
        routes.serve(.revokeDevice) { request, context in
            let (device, caller) = try await access.admit(request, to: .revokeDevice, context)
            return try await devices.revoke(device, for: caller)
        }
    }
}

extension DeviceAccess {
    /// Admits the sender of a request about one device.
    ///
    /// - Returns: The id of the device in the path, and the device that sent the request.
    /// - Throws: `Refusal.notFound` if the id is malformed, or the refusal of the sender.
    fileprivate func admit(
        _ request: Request,
        to route: Route,
        _ context: RelyingPartyRequestContext
    ) async throws(Refusal) -> (DeviceID, CallingDevice) {
        guard let device = context.parameters.get("device").flatMap(DeviceID.init) else { throw .notFound }
        return (device, try await admit(request, path: route.path(device: device)))
    }

    /// Admits the sender of a request.
    func admit(_ request: Request, path: String) async throws(Refusal) -> CallingDevice {
        try await admit(
            token: request.credentials(scheme: "DPoP").flatMap(AccessToken.init), proofs: request.dpopProofs,
            method: request.method.rawValue, path: path)
    }
}
