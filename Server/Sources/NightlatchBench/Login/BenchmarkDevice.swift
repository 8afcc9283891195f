import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// A bound device with an open vault in memory.
struct BenchmarkDevice: Sendable {
    private let vault: OpenVault
    private let login: Login

    /// Enrols the device as a user of its own.
    init(number: Int, backend: HTTPBackend, issuer: Issuer, folder: String) async throws {
        let store = MemoryStore()
        let closed = Vault(
            store: store, clock: SystemLockoutClock(), keyDerivation: .cheap, keyDerivationBounds: .forTests)
        vault = try await closed.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))
        let keys = SoftwareDeviceKeys(folder: folder + "/\(number)")
        let relyingParty = HTTPRelyingParty(issuer: issuer)
        guard let user = UserID(rawValue: "user-\(number)"), let name = DeviceName(rawValue: "Device \(number)") else {
            throw CocoaError(.coderInvalidValue)
        }
        let code = try await backend.enrolmentCode(for: user).code
        _ = try await DeviceBinder(relyingParty: relyingParty, keys: keys).bind(vault, code: code, deviceName: name)
        login = Login(relyingParty: relyingParty, keys: keys)
    }

    func logIn() async throws {
        _ = try await login.logIn(vault)
    }
}
