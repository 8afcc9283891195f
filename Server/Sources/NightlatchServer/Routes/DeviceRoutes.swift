import Hummingbird
import NightlatchWire

/// A user's own devices.
struct DeviceRoutes<Store: RelyingPartyStore> {
    let access: DeviceAccess<Store>
    let devices: OwnDevices<Store>
    let nonces: NonceSource

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (access, devices) = (access, devices)
        let router = router.group().add(middleware: NonceAnswers<Context>(source: nonces))
            .add(middleware: RefusalAnswers<Context>(form: .problem))
        router.serve(.devices) { request, _ throws(Refusal) in
            try await devices.list(for: access.admit(request, path: Route.devices.path))
        }
        router.serve(.revokeDevice) { request, context throws(Refusal) in
            guard let device = context.parameters.get("device").flatMap(DeviceID.init) else { throw .notFound }
            let caller = try await access.admit(request, path: Route.revokeDevice.path(device: device))
            return try await devices.revoke(device, for: caller)
        }
    }
}

extension DeviceAccess {
    /// Lets the sender of `request` in.
    func admit(_ request: Request, path: String) async throws(Refusal) -> CallingDevice {
        try await admit(
            token: request.credentials(scheme: "DPoP").flatMap(AccessToken.init), proofs: request.dpopProofs,
            method: request.method.rawValue, path: path)
    }
}
