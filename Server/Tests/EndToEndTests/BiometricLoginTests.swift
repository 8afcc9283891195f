import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// The client's biometric login against the real server: a scripted person, real keys, real requests.
@Suite("Biometric login, at a server", .timeLimit(.minutes(10)))
struct BiometricLoginTests {
    /// A phone whose vault is in memory, and whose keys are in files.
    private struct Phone {
        let biometrics = ScriptedBiometrics()
        let vault: Vault
        let login: BiometricLogin
        private let keysFolder: String
        private let server: ServerProcess

        init(of folder: TemporaryFolder, at server: ServerProcess) {
            self.server = server
            keysFolder = folder.path + "/keys"
            vault = Vault(
                store: MemoryStore(), clock: SystemLockoutClock(), keyDerivation: .cheap,
                keyDerivationBounds: .forTests, biometrics: biometrics)
            login = BiometricLogin(
                store: MemoryStore(), relyingParty: HTTPRelyingParty(issuer: server.issuer),
                keys: SoftwareDeviceKeys(folder: keysFolder))
        }

        func pin() throws -> Pin { try Pin(digits: SecretBytes(copying: Array("295038".utf8))) }

        /// Enables it with a new code, and locks the vault.
        func enable(_ open: OpenVault) async throws {
            let code = try #require(EnrolmentCode(try await server.code()))
            let name = try #require(DeviceName(rawValue: "Phone"))
            #expect(try await login.enable(open, code: code, deviceName: name).rawValue == "alice")
            await open.lock()
        }

        func attempt() async throws -> Session { try await login.attempt(vault, reason: "Log in") }

        /// The files of keys that are left, without those that writers lock.
        func keyFiles() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: keysFolder).filter { $0.hasSuffix(".key") }
        }
    }

    @Test("BL1, BL2, BL3, BL7: enabled, attempted, revoked by the operator, enabled anew, disabled")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let phone = Phone(of: folder, at: server)
            try await phone.enable(try await phone.vault.create(with: phone.pin()))
            #expect(try phone.biometrics.reasons.isEmpty && phone.keyFiles().count == 2)

            let session = try await phone.attempt()
            #expect(session.user.rawValue == "alice" && phone.biometrics.reasons == ["Log in"])
            let device = try #require(try await session.devices().devices.first)
            let revoked = try await Nightlatch.run(
                "admin", "devices", "revoke", "alice", device.id.rawValue, "--database",
                "sqlite:\(server.folder)/nightlatch.sqlite")
            #expect(revoked.status == 0, "\(revoked.errors)")
            await #expect(throws: BiometricLoginError.login(.revoked)) { try await phone.attempt() }
            #expect(try await phone.login.user() == nil && phone.keyFiles().isEmpty)
            await #expect(throws: BiometricLoginError.notEnabled) { try await phone.attempt() }

            try await phone.enable(try await phone.vault.unlock(with: phone.pin()))
            let devices = try await phone.attempt().devices().devices
            #expect(devices.contains { $0.id != device.id })
            let open = try await phone.vault.unlock(with: phone.pin())
            try await phone.login.disable(open)
            #expect(try await phone.login.user() == nil && phone.keyFiles().isEmpty)
            let users = try await Nightlatch.run(
                "admin", "users", "show", "alice", "--database", "sqlite:\(server.folder)/nightlatch.sqlite")
            #expect(users.output.contains("0 active, 0 blocked, 2 revoked"), "\(users)")
        }
    }
}
