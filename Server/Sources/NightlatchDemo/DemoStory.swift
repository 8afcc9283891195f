import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchServerProcess
import NightlatchWire

/// The story of one user with one device, from the first start of the server to the revocation of the device.
struct DemoStory {
    let server: ServerProcess
    let home: ClientHome
    let reporter: DemoReporter

    static let secretName: SecretName = "wallet-seed"
    private let user = UserID(rawValue: "alice")
    private let deviceName = DeviceName(rawValue: "Alice's demonstration")

    func play() async throws {
        guard let user, let deviceName else { throw DemoFailure("the names of the story are not valid") }
        // The standard policies wait for half a minute or longer, too long for a demonstration.
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
        try await DemoLogins(
            user: user, issuer: issuer, backendKeyPath: server.backendKeyPath, home: home, vault: vault,
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
}

/// The PINs of the story. They protect only the demonstration.
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
