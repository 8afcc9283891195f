import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("A two-party PIN on the command line")
struct TwoPartyCommandTests {
    private static let (old, new, wrong) = ("295038", "417296", "860527")

    @Test("B1: moved to the server, told by doctor, tried by a thief, changed, and out of reach without the server")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let registered = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(registered.status == 0, "\(registered.errors)")
            let before = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(before.output.contains("A thief of this disk needs time alone"), "\(before.output)")

            let refused = try await folder.device("pin", "two-party", pins: [Self.wrong])
            #expect(refused.status == 1 && refused.errors.contains("9 tries left"), "\(refused.errors)")
            let moved = try await folder.device("pin", "two-party", pins: [Self.old])
            #expect(moved.output == "the PIN hangs on \(server.url) too\n", "\(moved.errors)")
            let again = try await folder.device("pin", "two-party", pins: [Self.old])
            #expect(again.status == 1 && again.errors.contains("already"), "\(again.errors)")

            let after = try await Nightlatch.run("doctor", "--home", folder.home)
            for text in [
                "A thief of this disk needs \(server.url) for every PIN",
                "A thief of the server needs this device's files",
                "A thief of both needs time alone", "where the server's count holds",
            ] { #expect(after.output.contains(text), "\(after.output)") }
            let cost = try await Nightlatch.run("attack-cost", "--home", folder.home)
            #expect(cost.output.contains("A thief of this disk needs \(server.url)"), "\(cost.output)")

            let stolen = folder.path + "/stolen"
            try FileManager.default.copyItem(atPath: folder.home, toPath: stolen)
            func thief(_ pin: String) async throws -> Outcome {
                try await Nightlatch.run(["unlock", "--home", stolen, "--pin-fd", "0"], pins: [pin])
            }
            #expect(try await thief(Self.wrong).status == 1)
            let warned = try await folder.device("unlock", pins: [Self.old])
            #expect(warned.status == 0 && warned.errors.contains("has tried 1 PIN"), "\(warned.errors)")
            // The right PIN, and too late.
            #expect(try await thief(Self.old).errors.contains("old one"))
            let quiet = try await folder.device("login", pins: [Self.old])
            #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")

            let changed = try await folder.device("pin", "change", "--new-pin-fd", "0", pins: [Self.old, Self.new])
            #expect(changed.output == "PIN changed\n", "\(changed.errors)")
            let opened = try await folder.device("unlock", pins: [Self.new])
            #expect(opened.status == 0, "\(opened.errors)")
        }
        let offline = try await folder.device("unlock", pins: [Self.new])
        #expect(offline.status == 3 && offline.errors.contains("does not answer"), "\(offline.errors)")
        let state = try await Nightlatch.run("doctor", "--home", folder.home)
        #expect(state.output.contains("Locked; 10 tries left."), "\(state.output)")
    }

    @Test(
        "B1: doctor and attack-cost tell that a copy gives up the PIN of a vault with a local tier, and the next unlock drops it"
    )
    func localTier() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let registered = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(registered.status == 0, "\(registered.errors)")
            let app = Vault(
                store: FileStore(path: folder.vault), clock: SystemLockoutClock(), keyDerivation: .cheap,
                keyDerivationBounds: .forTests,
                hardener: TwoPartyPin(
                    relyingParty: HTTPRelyingParty(issuer: server.issuer),
                    keys: SoftwareDeviceKeys(folder: folder.home + "/keys")), offlinePin: .local)
            await (try app.unlock(with: TwoPartyPhone.pin(Self.old))).lock()
            for command in ["doctor", "attack-cost"] {
                let told = try await Nightlatch.run(command, "--home", folder.home)
                #expect(told.output.contains("A thief of this disk needs time alone"), "\(told.output)")
                #expect(told.output.contains("this vault has a local tier"), "\(told.output)")
            }
            let opened = try await folder.device("unlock", pins: [Self.old])
            #expect(opened.status == 0, "\(opened.errors)")
            let after = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(after.output.contains("A thief of this disk needs \(server.url) for every PIN"), "\(after.output)")
        }
    }
}
