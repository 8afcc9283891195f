import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A bound device with an open vault in memory.
struct BenchmarkDevice: Sendable {
    private let vault: OpenVault
    private let login: Login

    /// Enrols the device as a user of its own.
    init(number: Int, server: ServerUnderLoad) async throws {
        let store = MemoryStore()
        let closed = Vault(
            store: store, clock: SystemLockoutClock(), keyDerivation: .cheap, keyDerivationBounds: .forTests)
        vault = try await closed.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))
        let folder = server.folder + "/device-\(number)"
        let keys = SoftwareDeviceKeys(folder: folder)
        let relyingParty = HTTPRelyingParty(issuer: server.issuer)
        guard let user = UserID(rawValue: "user-\(number)"), let name = DeviceName(rawValue: "Device \(number)") else {
            throw CocoaError(.coderInvalidValue)
        }
        let code = try await Self.code(for: user, server: server)
        _ = try await DeviceBinder(relyingParty: relyingParty, keys: keys).bind(vault, code: code, deviceName: name)
        login = Login(relyingParty: relyingParty, keys: keys)
    }

    func logIn() async throws {
        _ = try await login.logIn(vault)
    }

    private static func code(for user: UserID, server: ServerUnderLoad) async throws -> EnrolmentCode {
        guard let url = server.issuer.url(path: Route.enrolmentCodes.path) else { throw CocoaError(.coderInvalidValue) }
        let key = try String(contentsOfFile: server.folder + "/backend.key", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        var request = URLRequest(url: url)
        request.httpMethod = Route.enrolmentCodes.method.rawValue
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer " + key, forHTTPHeaderField: "Authorization")
        request.httpBody = StrictJSON.encode(EnrolmentCodeRequest(user: user))
        let (body, _) = try await URLSession.shared.data(for: request)
        return try StrictJSON.decode(EnrolmentCodeGrant.self, from: body).code
    }
}
