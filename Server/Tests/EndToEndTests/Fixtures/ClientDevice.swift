import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// A device of alice, bound at a server. It runs in this process, and its vault is in memory and open.
struct ClientDevice: Sendable {
    let vault: OpenVault
    let login: Login
    let backend: HTTPBackend

    /// Binds a new device.
    ///
    /// - Parameters:
    ///   - server: The server that binds the device.
    ///   - folder: The folder for its keys.
    init(at server: ServerProcess, keys folder: String) async throws {
        backend = HTTPBackend(issuer: server.issuer, key: try BackendKey(file: server.folder + "/backend.key"))
        let closed = Vault(
            store: MemoryStore(), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        vault = try await closed.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))
        let (keys, relyingParty) = (SoftwareDeviceKeys(folder: folder), HTTPRelyingParty(issuer: server.issuer))
        let code = try await backend.enrolmentCode(for: try #require(UserID(rawValue: "alice"))).code
        _ = try await DeviceBinder(relyingParty: relyingParty, keys: keys).bind(
            vault, code: code, deviceName: try #require(DeviceName(rawValue: "Phone")))
        login = Login(relyingParty: relyingParty, keys: keys)
    }
}
