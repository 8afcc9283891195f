import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// Holds everything that outlives a lock of the screen: the profile on this device, its stores and keys, and the
/// server.
@MainActor @Observable
final class Bank {
    enum Stage {
        case starting
        /// The profiles cannot be read.
        case broken(Notice)
        case unregistered
        case registered(Profile)
    }

    private(set) var stage = Stage.starting
    let profiles: Profiles
    let server: any RelyingParty
    private let prepare: @Sendable () async throws -> Void

    /// - Parameter prepare: Runs before the profiles are read.
    init(
        profiles: Profiles,
        server: any RelyingParty,
        prepare: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.profiles = profiles
        self.server = server
        self.prepare = prepare
    }

    /// Undoes or finishes what an earlier run of the app has begun, then finds the profile.
    func start() async {
        do {
            try await prepare()
            for resumed in try await profiles.resume() {
                if let failure = resumed.failure { throw failure }
            }
            let profile = try await profiles.all().first
            stage = profile.map { Stage.registered($0) } ?? .unregistered
        } catch {
            stage = .broken(Notice(of: error) ?? Notice("The app was interrupted."))
        }
    }

    /// Shows the profile that was registered.
    func show(_ profile: Profile) {
        stage = .registered(profile)
    }

    /// Removes the profile with its vault and keys from this device. The user then registers with a new code.
    ///
    /// The server still lists the old device.
    func remove(_ profile: Profile) async throws {
        try await profiles.deregister(profile.id)
        stage = .unregistered
    }

    /// A service that asks the profile's user with this pad.
    func service(
        of profile: Profile,
        asking pad: PinPadModel,
        order: AuthenticatorOrder = .preferred
    ) -> LocalAuthService {
        LocalAuthService(
            profile: profile.id, in: profiles, prompt: pad, configuration: LocalAuthConfiguration(order: order))
    }

    /// The device keys of a profile. They are removed together with it.
    func keys(of profile: Profile) -> any DeviceKeys { profiles.deviceKeys(of: profile.id) }

    func binder(of profile: Profile) -> DeviceBinder { DeviceBinder(relyingParty: server, keys: keys(of: profile)) }
}
