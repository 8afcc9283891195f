import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchServerProcess
import NightlatchWire

/// The steps from the restart of the server to the revocation of the device.
extension DemoStory {
    func restartServer(at issuer: Issuer, session: Session) async throws {
        try await reporter.step("The server is restarted") {
            let before = server.processID
            let status = server.stop()
            try DemoFailure.require(status == 0, "the server ended with \(status)")
            let port = issuer.url(path: "/")?.port ?? 0
            let newIssuer = try server.start(port: port)
            try DemoFailure.require(newIssuer == issuer && server.processID != before, "it is not the same server")
            _ = try await session.devices()
            return
                "it ended with status 0, serves again as process \(server.processID ?? 0), and knows the old access token"
        }
    }

    func logInAgain(_ open: OpenVault, _ login: Login) async throws -> Session {
        try await reporter.step("The device logs in again") {
            let refreshed = try await login.resume(open)
            let session = try await login.logIn(open)
            try DemoFailure.require(session.accessToken != refreshed.accessToken, "the same token twice")
            return (session, "by its refresh token, and with its key")
        }
    }

    func revoke(_ binding: DeviceBinding, _ session: Session) async throws {
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

    func logInRevoked(_ open: OpenVault, _ login: Login) async throws {
        try await reporter.step("The revoked device can no longer log in") {
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
}
