import Foundation
import NightlatchPlatform
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

@Suite("The console in a real browser")
struct ConsoleTests {
    @Test(
        "RP8: an operator signs in, finds a user, revokes a device and sees it in the audit, by mouse and by keyboard alone"
    )
    func browser() async throws {
        let folder = try TemporaryFolder()
        let keyFile = folder.path + "/admin.key"
        try await ServerProcess.run(in: folder, options: ["--admin-key-file", keyFile]) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let laptop = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(), "--name",
                "Alice’s <b>laptop</b> in the office & at home", pins: ["295038"])
            #expect(laptop.status == 0, "\(laptop.errors)")
            for user in ["bob@example.com", "carol", String(repeating: "long.", count: 25)] {
                _ = try await device.backend.enrolmentCode(for: try #require(UserID(rawValue: user)))
            }
            _ = try await device.backend.create(try transaction())

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

    private func transaction() throws -> TransactionRequest {
        let details = TransactionDetails(
            amount: try #require(MoneyAmount(rawValue: "129.90")),
            currency: try #require(CurrencyCode(rawValue: "EUR")),
            payee: try #require(Payee(rawValue: "Bäckerei <Nacht> & Söhne")),
            lines: [
                .init(
                    label: try #require(LineLabel(rawValue: "Reference")),
                    value: try #require(LineValue(rawValue: "Berth 7")))
            ],
            expiresAt: NumericDate(Date()) + .seconds(3600))
        return TransactionRequest(
            id: .random(), user: try #require(UserID(rawValue: "alice")), devices: .allDevices,
            details: try #require(details))
    }
}
