import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServerProcess
import NightlatchWire

/// The steps from the start of the server to the first session.
extension DemoStory {
    func startServer() async throws -> Issuer {
        try await reporter.step("The server starts as a separate process") {
            let issuer = try server.start(port: 0)
            let health = try await HTTPRelyingParty(issuer: issuer).checkReadiness()
            try DemoFailure.require(health.status == .ok, "the server is not ready")
            return (issuer, "process \(server.processID ?? 0) serves \(issuer) from a new SQLite database and is ready")
        }
    }

    func askForCode(_ user: UserID, of issuer: Issuer) async throws -> EnrolmentCode {
        try await reporter.step("The app's backend asks for an enrolment code") {
            let backend = HTTPBackend(issuer: issuer, key: try .load(from: server.backendKeyPath))
            let grant = try await backend.enrolmentCode(for: user)
            return (grant.code, "a one-time code of \(EnrolmentCode.bitCount) bits for \(grant.user)")
        }
    }

    func setPin(_ vault: Vault) async throws -> OpenVault {
        try await reporter.step("A PIN is set") {
            do {
                _ = try await vault.create(with: try .demo("123321"))
                throw DemoFailure("a weak PIN was accepted")
            } catch CreateVaultError.pinRefused(let objections) {
                try DemoFailure.require(objections == [.common(.palindrome)], "unexpected objections")
            }
            let open = try await vault.create(with: try .demo(DemoPin.first))
            let attributes = try FileManager.default.attributesOfItem(atPath: home.vaultPath)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
            try DemoFailure.require(mode == 0o600, "other users can read the vault's file")
            return (
                open,
                "123321 is refused: it reads the same from both ends; another PIN is set; the vault's file is 0600"
            )
        }
    }

    func bind(
        _ open: OpenVault,
        _ relyingParty: HTTPRelyingParty,
        code: EnrolmentCode,
        deviceName: DeviceName
    ) async throws -> DeviceBinding {
        try await reporter.step("The device binds its key with the code") {
            let binder = DeviceBinder(relyingParty: relyingParty, keys: home.keys)
            let binding = try await binder.bind(open, code: code, deviceName: deviceName)
            return (binding, "\(binding.user) has device \(binding.device); its key answered the server's challenge")
        }
    }

    func logIn(_ open: OpenVault, _ login: Login) async throws -> Session {
        try await reporter.step("The device's key logs in") {
            let session = try await login.logIn(open)
            let devices = try await session.devices().devices
            try DemoFailure.require(
                devices.count == 1 && devices[0].isCurrent && devices[0].status == .active, "unexpected devices")
            return (
                session, "an access token for \(session.life.inWords); with it the server lists one device, this one"
            )
        }
    }

    func verify(_ token: AccessToken, of issuer: Issuer) async throws {
        try await reporter.step("openssl verifies the access token with the published keys") {
            let answer = try await OpenSSL(folder: home.path + "/openssl").verify(token, of: issuer)
            return "openssl says: \(answer); of a token with one bit changed it says no"
        }
    }

    func findRefreshToken(_ open: OpenVault) async throws {
        try await reporter.step("The vault stores secrets and the refresh token") {
            let secret = SecretBytes.random(byteCount: 64)
            try await open.set(secret, named: Self.secretName)
            let isThere = try await open.secret(named: Self.secretName)?.isEqual(to: secret)
            try DemoFailure.require(isThere == true, "a secret that was just set is not there")
            let hasToken = try await open.names().contains { $0.rawValue == "nightlatch.refresh-token" }
            try DemoFailure.require(hasToken, "there is no refresh token in the vault")
            let file = try Data(contentsOf: URL(fileURLWithPath: home.vaultPath))
            let isReadable = unsafe secret.withUnsafeBytes { secret in
                unsafe [Data(secret), Data(Base64URL.encode(Array(secret)).utf8)].contains {
                    file.firstRange(of: $0) != nil
                }
            }
            try DemoFailure.require(!isReadable, "the secret is readable in the file")
            return
                "a secret of \(secret.byteCount) bytes was set and read; the vault's file does not contain its bytes"
        }
    }
}
