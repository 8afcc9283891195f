import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// The story of one person with one device, from the first start of the server to the device's revocation.
struct DemoStory {
    let server: ServerProcess
    let home: ClientHome
    let reporter: DemoReporter

    private static let secretName: SecretName = "wallet-seed"
    private let user = UserID(rawValue: "alice")
    private let deviceName = DeviceName(rawValue: "Alice's demonstration")

    func play() async throws {
        guard let user, let deviceName else { throw DemoFailure("the names of the story are not valid") }
        // Everyday policies wait for half a minute and longer; nobody would watch that.
        let policy = try LockoutPolicy(firstWaitAfter: 2, waits: [.seconds(5)], limit: 10)
        let vault = home.vault(lockoutPolicy: policy)

        let issuer = try await startServer()
        let code = try await askForCode(user, of: issuer)
        var open = try await setPin(vault)
        let relyingParty = HTTPRelyingParty(issuer: issuer)
        let binding = try await bind(open, relyingParty, code: code, deviceName: deviceName)
        let login = Login(relyingParty: relyingParty, keys: home.keys)
        let session = try await logIn(open, login)
        try await verify(session.accessToken, of: issuer)
        try await findRefreshToken(open)
        try await DemoTransactions(
            user: user, issuer: issuer, backendKeyPath: server.backendKeyPath, home: home, vault: vault, open: open,
            reporter: reporter
        ).play(session)
        try await lock(open)
        try await tryWrongPin(vault)
        try await sitOutLockout(vault)
        open = try await unlock(vault)
        open = try await changePin(vault)
        try await tryOldPin(vault)
        try await restartServer(at: issuer, session: session)
        let newSession = try await logInAgain(open, login)
        try await revoke(binding, newSession)
        try await logInRevoked(open, login)
    }

    private func startServer() async throws -> Issuer {
        try await reporter.step("The server starts as a process of its own") {
            let issuer = try server.start(port: 0)
            let health = try await HTTPRelyingParty(issuer: issuer).checkReadiness()
            try DemoFailure.require(health.status == .ok, "the server is not ready")
            return (issuer, "process \(server.processID ?? 0) serves \(issuer) from a new SQLite database and is ready")
        }
    }

    private func askForCode(_ user: UserID, of issuer: Issuer) async throws -> EnrolmentCode {
        try await reporter.step("The app's backend asks for an enrolment code") {
            let backend = HTTPBackend(issuer: issuer, key: try .load(from: server.backendKeyPath))
            let grant = try await backend.enrolmentCode(for: user)
            return (grant.code, "a one-time code of \(EnrolmentCode.bitCount) bits for \(grant.user)")
        }
    }

    private func setPin(_ vault: Vault) async throws -> OpenVault {
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
            try DemoFailure.require(mode == 0o600, "the vault's file can be read by others")
            return (
                open,
                "123321 is refused, since it reads the same from both ends; another is taken; the vault's file is 0600"
            )
        }
    }

    private func bind(
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

    private func logIn(_ open: OpenVault, _ login: Login) async throws -> Session {
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

    private func verify(_ token: AccessToken, of issuer: Issuer) async throws {
        try await reporter.step("openssl verifies the access token by the published keys") {
            let answer = try await OpenSSL(folder: home.path + "/openssl").verify(token, of: issuer)
            return "openssl says: \(answer); of a token with one bit changed it says no"
        }
    }

    private func findRefreshToken(_ open: OpenVault) async throws {
        try await reporter.step("Secrets and the refresh token lie in the vault") {
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
            try DemoFailure.require(!isReadable, "the secret stands readable in the file")
            return
                "a secret of \(secret.byteCount) bytes was set and read, and is found nowhere in the vault's file as it is"
        }
    }

    private func lock(_ open: OpenVault) async throws {
        try await reporter.step("The vault locks") {
            await open.lock()
            do {
                _ = try await open.secret(named: Self.secretName)
            } catch OpenVaultError.locked {
                return "asked for a secret it answers: locked"
            }
            throw DemoFailure("a locked vault gave a secret")
        }
    }

    private func tryWrongPin(_ vault: Vault) async throws {
        try await reporter.step("A wrong PIN is refused") {
            let refusal = try await refusal(of: DemoPin.wrong, by: vault)
            try DemoFailure.require(refusal == .wrong(triesLeft: 9, wait: nil), "unexpected: \(refusal)")
            return refusal.sentence
        }
    }

    private func sitOutLockout(_ vault: Vault) async throws {
        try await reporter.step("A second wrong PIN locks it for a while (this story's policy: 5 s, for show)") {
            let wrong = try await refusal(of: DemoPin.wrong, by: vault)
            guard case .wrong(8, .some) = wrong else { throw DemoFailure("unexpected: \(wrong)") }
            let early = try await refusal(of: DemoPin.first, by: vault)
            guard case .waiting(let rest, 8) = early else { throw DemoFailure("unexpected: \(early)") }
            try await Task.sleep(for: rest)
            let state = try await vault.state()
            try DemoFailure.require(state == .ready(triesLeft: 8), "the wait did not end: \(state)")
            return "\(wrong.sentence) Then even the right PIN is not tried; \(rest.inWords) later it may be"
        }
    }

    private func unlock(_ vault: Vault) async throws -> OpenVault {
        try await reporter.step("The right PIN unlocks") {
            let open = try await vault.unlock(with: try .demo(DemoPin.first))
            let state = try await vault.state()
            try DemoFailure.require(state == .ready(triesLeft: 10), "the count did not begin anew")
            return (open, "the vault is open and all 10 tries are there again")
        }
    }

    private func changePin(_ vault: Vault) async throws -> OpenVault {
        try await reporter.step("The PIN is changed") {
            let open = try await vault.changePin(from: try .demo(DemoPin.first), to: try .demo(DemoPin.second))
            let names = try await open.names()
            try DemoFailure.require(names.count == 4, "secrets were lost")
            return (open, "everything was sealed anew under a new key; all \(names.count) secrets are there")
        }
    }

    private func tryOldPin(_ vault: Vault) async throws {
        try await reporter.step("The old PIN is dead") {
            let refusal = try await refusal(of: DemoPin.first, by: vault)
            try DemoFailure.require(refusal == .wrong(triesLeft: 9, wait: nil), "unexpected: \(refusal)")
            _ = try await vault.unlock(with: try .demo(DemoPin.second))
            return "it is refused like any wrong PIN, and the new one opens"
        }
    }

    private func restartServer(at issuer: Issuer, session: Session) async throws {
        try await reporter.step("The server is restarted") {
            let before = server.processID
            let status = server.stop()
            try DemoFailure.require(status == 0, "the server ended with \(status)")
            let port = issuer.url(path: "/")?.port ?? 0
            let newIssuer = try server.start(port: port)
            try DemoFailure.require(newIssuer == issuer && server.processID != before, "not the same server anew")
            _ = try await session.devices()
            return
                "it ended with status 0, serves again as process \(server.processID ?? 0), and knows the old access token"
        }
    }

    private func logInAgain(_ open: OpenVault, _ login: Login) async throws -> Session {
        try await reporter.step("The device logs in again") {
            let refreshed = try await login.resume(open)
            let session = try await login.logIn(open)
            try DemoFailure.require(session.accessToken != refreshed.accessToken, "the same token twice")
            return (session, "by its refresh token, and with its key")
        }
    }

    private func revoke(_ binding: DeviceBinding, _ session: Session) async throws {
        try await reporter.step("The device is revoked") {
            let device = try await session.revoke(binding.device)
            try DemoFailure.require(device.status == .revoked, "it was not revoked")
            do {
                _ = try await session.devices()
            } catch SessionError.relyingParty(.refused(let refusal)) {
                try DemoFailure.require(
                    refusal.status == 401 && refusal.code == .deviceRevoked, "unexpected: \(refusal)")
                return
                    "its access token, which has not expired, now gets HTTP \(refusal.status), \(refusal.code.rawValue)"
            }
            throw DemoFailure("a revoked device was served")
        }
    }

    private func logInRevoked(_ open: OpenVault, _ login: Login) async throws {
        try await reporter.step("The revoked device can log in no more") {
            do {
                _ = try await login.logIn(open)
                throw DemoFailure("a revoked device logged in")
            } catch LoginError.revoked {
                let binding = try await open.deviceBinding()
                let keys = try FileManager.default.contentsOfDirectory(atPath: home.keysPath)
                    .filter { $0.hasSuffix(".key") }
                try DemoFailure.require(binding == nil && keys.isEmpty, "its keys are still there")
                return
                    "refused with HTTP 401, device_revoked; its keys and its binding are deleted, its vault still opens"
            }
        }
    }

    private func refusal(of digits: StaticString, by vault: Vault) async throws -> PinRefusal {
        do {
            _ = try await vault.unlock(with: try .demo(digits))
        } catch UnlockError.refused(let refusal) {
            return refusal
        }
        throw DemoFailure("a PIN opened the vault that must not")
    }
}

/// The PINs of the story. They guard nothing but the demonstration.
enum DemoPin {
    static let first: StaticString = "295038"
    static let second: StaticString = "741906"
    static let wrong: StaticString = "860527"
}

extension Pin {
    static func demo(_ digits: StaticString) throws -> Pin {
        try Pin(digits: SecretBytes(copying: Array(digits.description.utf8)))
    }
}
