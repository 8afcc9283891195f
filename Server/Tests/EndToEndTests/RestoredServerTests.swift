import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("A server that was restored from an older backup", .timeLimit(.minutes(10)))
struct RestoredServerTests {
    @Test("The device learns how to continue, and a new code binds it again while its vault stays")
    func bindAgain() async throws {
        let folder = try TemporaryFolder()
        let pin = "295038"
        let (port, _) = try await ServerProcess.run(in: folder, port: LoopbackPort.free()) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [pin])
            #expect(bound.status == 0, "\(bound.errors)")
            return server.port
        }
        let vault = try Data(contentsOf: URL(filePath: folder.home + "/vault"))
        try forgetUsers(in: folder)
        try await ServerProcess.run(in: folder, port: port) { server in
            let refused = try await folder.device("login", pins: [pin])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("get a new code and run `nightlatch bind`"), "\(refused.errors)")

            let other = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(for: "bert"), pins: [pin])
            #expect(other.status == 1 && other.errors.contains("The code is for bert"), "\(other.errors)")

            let again = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [pin])
            #expect(again.status == 0 && again.output.hasPrefix("bound to alice"), "\(again.errors)")
            let login = try await folder.device("login", pins: [pin])
            #expect(login.status == 0, "\(login.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: folder.home + "/vault")) != vault, "the binding is in it")
    }

    @Test(
        """
        A phone opened by biometrics is bound again and sets a new two-party PIN with the new device id; the old PIN \
        opens nothing
        """)
    func newTwoPartyPin() async throws {
        let folder = try TemporaryFolder()
        let ((port, phone), _) = try await ServerProcess.run(in: folder, port: LoopbackPort.free()) { server in
            (server.port, try await TwoPartyPhone(at: server, in: folder))
        }
        try forgetUsers(in: folder)
        try await ServerProcess.run(in: folder, port: port) { server in
            await #expect(throws: UnlockError.self) { try await phone.unlock() }
            let open = try await phone.vault().unlockWithBiometrics(reason: "reason")
            await #expect(throws: SetPinError.hasPin) {
                try await open.setPin(TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp())
            }
            let binding = try await DeviceBinder(relyingParty: phone.server, keys: phone.keys).bindAgain(
                open, code: try await phone.backend.enrolmentCode(for: phone.user).code,
                deviceName: try #require(DeviceName(rawValue: "Phone")))
            #expect(binding.device != phone.device.device)
            try await open.setPin(
                TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp(),
                code: try await phone.backend.enrolmentCode(for: phone.user).code)
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)

            let unlocked = try await phone.unlock(TwoPartyPhone.new)
            #expect(await unlocked.pinTier == .hardened)
            #expect(try await phone.logIn(unlocked).user == phone.user)
            #expect(try await phone.hardener().standing(of: HardenedDevice(binding)).epoch == .first)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) { try await phone.unlock() }
        }
    }

    /// Removes the database, as if the server were restored from a backup that is older than its first user.
    private func forgetUsers(in folder: TemporaryFolder) throws {
        for suffix in ["", "-wal", "-shm"] {
            let path = folder.path + "/server/nightlatch.sqlite" + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
