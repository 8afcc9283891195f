import Foundation
import Subprocess
import Testing

@Suite("The server in one terminal and the client in another", .timeLimit(.minutes(10)))
struct TwoTerminalsTests {
    @Test("A user registers, logs in, lists devices, changes the PIN and revokes the device")
    func story() async throws {
        let folder = try TemporaryFolder()
        let (_, status) = try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), "--name", "Desk",
                pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            let device = try #require(bound.output.firstMatch(of: /bound to alice as device (\S+)/)?.1)

            let login = try await folder.device("login", pins: ["295038"])
            #expect(login.output == "logged in as alice with device \(device) for 5 min\n", "\(login.errors)")

            let devices = try await folder.device("devices", pins: ["295038"])
            #expect(devices.output.hasPrefix("* \(device)  active") && devices.output.hasSuffix("  Desk\n"))

            let changed = try await folder.device(
                "pin", "change", "--new-pin-fd", "0",
                pins: ["295038", "741906"])
            #expect(changed.status == 0, "\(changed.errors)")
            let old = try await folder.device("unlock", pins: ["295038"])
            #expect(old.status == 1 && old.errors.contains("9 attempts left"))
            let new = try await folder.device("unlock", pins: ["741906"])
            #expect(
                new.output == "nightlatch.device-binding\nnightlatch.device-key-password\nnightlatch.refresh-token\n")

            let revoked = try await folder.device(
                "devices", "revoke", String(device), pins: ["741906"])
            #expect(revoked.output.contains("revoked"), "\(revoked.errors)")
            let refused = try await folder.device("login", pins: ["741906"])
            #expect(refused.status == 1 && refused.errors.contains("device_revoked"))

            let again = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["741906"])
            #expect(again.status == 0, "\(again.errors)")
        }
        #expect(status == 0, "the server does not end cleanly")
    }

    @Test("Python's cryptography verifies an access token with the published keys and refuses a changed one")
    func foreignVerifier() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            _ = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            let token = try await folder.device(
                "login", "--print-access-token", pins: ["295038"]
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
            let verified = try await Python.verify(token, by: server.url + "/.well-known/jwks.json")
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(verified.output.contains("at+jwt alice \(server.url)"), "\(verified.output)")
            let parts = token.split(separator: ".")
            let changed = "\(parts[0]).\(parts[1].dropLast())\(parts[1].last == "A" ? "B" : "A").\(parts[2])"
            #expect(try await Python.verify(changed, by: server.url + "/.well-known/jwks.json").status != 0)
        }
    }
}
