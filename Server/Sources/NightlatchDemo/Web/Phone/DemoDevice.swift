import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// The parts of the demonstration's phone: the client library's adapters for files, and the sensor on the page.
struct DemoDevice: Sendable {
    /// The name of the secret that the app keeps in the vault.
    static let noteName: SecretName = "note"

    let profiles: Profiles
    let sensor: DemoSensor
    let relyingParty: HTTPRelyingParty
    let tryLimit: Int

    init(
        folder: String, keyDerivation: KeyDerivationParameters, issuer: Issuer, sensor: DemoSensor
    ) throws(LockoutPolicyError) {
        // The standard policies wait for half a minute or longer, too long for a demonstration.
        let policy = try LockoutPolicy(
            firstWaitAfter: 3, waits: [.seconds(5), .seconds(10), .seconds(30)], limit: 6)
        self.sensor = sensor
        relyingParty = HTTPRelyingParty(issuer: issuer)
        tryLimit = policy.limit
        profiles = Profiles(
            registry: FileStore(path: folder + "/profiles"),
            deviceKeys: SoftwareDeviceKeys(folder: folder + "/keys"), remembersPinLengths: true
        ) { profile in
            Vault(
                store: FileStore(path: "\(folder)/\(profile.id).vault"), clock: SystemLockoutClock(),
                biometrics: sensor,
                configuration: VaultConfiguration(lockoutPolicy: policy, keyDerivation: keyDerivation))
        }
    }
}
