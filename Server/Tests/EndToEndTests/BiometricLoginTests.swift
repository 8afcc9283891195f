import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the client's biometric login against the real server: a scripted person, real keys, real requests.
@Suite("Biometric login at a server", .timeLimit(.minutes(10)))
struct BiometricLoginTests {
    /// A phone with a vault in memory and its keys in files.
    private struct Phone {
        let biometrics = ScriptedBiometrics()
        /// Holds the vault's record.
        let store = FaultyStore(MemoryStore())
        let vault: Vault
        let login: BiometricLogin
        private let keysFolder: String
        private let server: ServerProcess

        init(of folder: TemporaryFolder, at server: ServerProcess) {
            self.server = server
            keysFolder = folder.path + "/keys-" + UUID().uuidString
            vault = Vault(
                store: store, clock: SystemLockoutClock(), biometrics: biometrics,
                configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            login = BiometricLogin(
                store: MemoryStore(), relyingParty: HTTPRelyingParty(issuer: server.issuer),
                keys: SoftwareDeviceKeys(folder: keysFolder))
        }

        func pin() throws -> Pin { try Pin(digits: SecretBytes(copying: Array("295038".utf8))) }

        /// Enables biometric login with a new code, then locks the vault.
        func enable(_ open: OpenVault) async throws {
            let code = try #require(EnrolmentCode(try await server.code()))
            let name = try #require(DeviceName(rawValue: "Phone"))
            #expect(try await login.enable(open, code: code, deviceName: name).rawValue == "alice")
            await open.lock()
        }

        func attempt() async throws -> Session { try await login.attempt(vault, reason: "Log in") }

        /// Returns the names of the key files that are left, without the lock files of writers.
        func keyFiles() throws -> [String] {
            guard FileManager.default.fileExists(atPath: keysFolder) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: keysFolder).filter { $0.hasSuffix(".key") }
        }
    }

    @Test("Biometric login is enabled, used, revoked by the operator, enabled again and disabled")
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

    @Test("When enabling fails at any step, the server revokes the bound device before its keys are removed")
    func stopped() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            func devices() async throws -> String {
                let path = "sqlite:\(server.folder)/nightlatch.sqlite"
                let users = try await Nightlatch.run("admin", "users", "show", "alice", "--database", path)
                // The server does not know alice before her first device is bound.
                let match = users.output.firstMatch(of: #/\d+ active, 0 blocked, \d+ revoked/#)
                return match?.output.description ?? "0 active, 0 blocked, 0 revoked"
            }
            var (isDone, call, pendingCount, revokedCount) = (false, 0, 0, 0)
            while !isDone {
                let phone = Phone(of: folder, at: server)
                let created = try await phone.vault.create(with: phone.pin())
                phone.store.fail(at: call, .after)
                do {
                    try await phone.enable(created)
                    isDone = true
                } catch let error as BiometricLoginError {
                    // A second call of `enable` would continue.
                    switch error.code {
                    case .vault, .setUp: break
                    case .binding: guard case .vault = error.cause as? BindingError else { throw error }
                    default: throw error
                    }
                }
                phone.store.repair()
                let isBound = try await devices() == "1 active, 0 blocked, \(revokedCount) revoked"
                let open = try await phone.vault.unlock(with: phone.pin())
                if isBound, try await open.deviceBinding() == nil { pendingCount += 1 }
                do {
                    try await phone.login.disable(open)
                    #expect(try phone.keyFiles().isEmpty)
                } catch let error as BiometricLoginError {
                    guard case .bindingUndecided = error.code else { throw error }
                    #expect(!isBound)
                }
                if isBound { revokedCount += 1 }
                #expect(try await devices() == "0 active, 0 blocked, \(revokedCount) revoked", "\(call)")
                call += 1
            }
            #expect(pendingCount > 0 && revokedCount > pendingCount)
        }
    }
}
