import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

@Suite("The console in a real browser", .timeLimit(.minutes(10)))
struct ConsoleTests {
    @Test(
        """
        An operator signs in, opens every page, manages journey keys and sessions, finds a user, revokes a device and \
        sees it in the audit log, by mouse and by keyboard alone, with scripts and without
        """)
    func browser() async throws {
        let folder = try TemporaryFolder()
        let keyFile = folder.path + "/admin.key"
        try await ServerProcess.run(in: folder, options: ["--admin-key-file", keyFile]) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let laptop = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), "--name",
                "Alice’s <b>laptop</b> in the office & at home", pins: ["295038"])
            #expect(laptop.status == 0, "\(laptop.errors)")
            for user in ["bob@example.com", "carol", String(repeating: "long.", count: 25)] {
                _ = try await device.backend.enrolmentCode(for: try #require(UserID(rawValue: user)))
            }
            _ = try await device.backend.create(try transaction())
            try await leaveJourney(in: SQLiteStore(path: server.folder + "/nightlatch.sqlite"))

            let root = PythonEnvironment.root
            let result = try await Subprocess.run(
                .path(FilePath(PythonEnvironment.python)),
                arguments: [
                    root + "/Server/Tests/Browser/console.py", server.url, keyFile, "Phone",
                    root + "/.build/screenshots/console",
                ],
                output: .string(limit: 1 << 16), error: .string(limit: 1 << 20))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            #expect(result.standardOutput.hasPrefix("checked: "))
        }
    }

    /// Records the results of journeys: a key, a session that this key signed for, and a session without a signature.
    private func leaveJourney(in store: SQLiteStore) async throws {
        let alice = try #require(UserID(rawValue: "alice"))
        let key = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let device = JourneyDevice(
            id: try #require(JourneyKeyID(rawValue: "4B0C63B5-58F6-4A2E-9C1D-0B7E1D2F3A4B")), user: alice,
            application: "com.example.app", key: .ec(try #require(ECPublicJWK(coordinates: Array(key)))),
            algorithm: .es256,
            machine: try #require(MachineID(rawValue: "f47ac10b-58cc-4372-a567-0e02b2c3d479")),
            name: try #require(DeviceName(rawValue: "Alice’s <i>phone</i> & tablet")), boundAt: NumericDate(Date()),
            lastAccessAt: NumericDate(Date()), protection: .applicationPin)
        let life = NumericDate(Date()) + .seconds(300)
        for (bindings, signer) in [([JourneyBinding(device: device, limit: nil)], device.id), ([], nil)] {
            let session = NewJourneySession(
                token: StoredHash((0..<32).map { _ in UInt8.random(in: 0...255) }), user: alice, journey: "sign",
                key: signer, life: .seconds(3600))
            let step = JourneyStep(
                use: JourneyStepUse(oneTimeKey: .random(), expiresAt: life), bindings: bindings, session: session)
            #expect(try await store.recordJourneyStep(step) == .recorded)
        }
        try store.close()
    }

    private func transaction() throws -> TransactionRequest {
        let details = try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: "Bäckerei <Nacht> & Söhne",
            lines: [.init(label: "Reference", value: "Berth 7")],
            expiresAt: NumericDate(Date()) + .seconds(3600))
        return TransactionRequest(id: .random(), user: "alice", devices: .allDevices, details: details)
    }
}
