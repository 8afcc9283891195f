import Foundation
import Glibc

/// Commands of the owner of a TPM, as bytes (TPM 2.0 Library, part 3, sections 24.6 and 24.8).
extension SoftwareTPM {
    private static let owner: UInt32 = 0x4000_0001
    private static let lockoutPassword = Array("lockout".utf8)
    private static let lockout: UInt32 = 0x4000_000A

    /// Sets the owner hierarchy's password. It must not have one.
    func setOwnerPassword(_ password: [UInt8]) async throws {
        try await command(0x129, on: Self.owner, parameters: [0, UInt8(password.count)] + password)
    }

    /// Sets the lockout hierarchy's password. It must not have one.
    func setLockoutPassword() async throws {
        try await command(
            0x129, on: Self.lockout, parameters: [0, UInt8(Self.lockoutPassword.count)] + Self.lockoutPassword)
    }

    /// Clears the TPM: it gets another storage key.
    func clear() async throws {
        try await command(0x126, on: Self.lockout, parameters: [])
    }

    /// Resets the count of wrong authorisations, with the password of the lockout hierarchy.
    func resetLockout() async throws {
        try await command(0x139, on: Self.lockout, password: Self.lockoutPassword, parameters: [])
    }

    /// Sets the limit of wrong authorisations, and the time after which one is forgotten.
    ///
    /// - Parameters:
    ///   - limit: The count at which the TPM locks.
    ///   - secondsPerForgottenTry: The seconds until the TPM forgets one wrong authorisation.
    ///   - isProtected: Whether the lockout hierarchy has a password.
    func setLockout(limit: UInt32, secondsPerForgottenTry: UInt32, isProtected: Bool = false) async throws {
        try await command(
            0x13A, on: Self.lockout, password: isProtected ? Self.lockoutPassword : [],
            parameters: bytes(limit) + bytes(secondsPerForgottenTry) + bytes(1))
    }

    /// Sends a command with the authorisation `password`, and waits for success.
    private func command(
        _ code: UInt32,
        on handle: UInt32,
        password: [UInt8] = [],
        parameters: [UInt8]
    ) async throws {
        let session = bytes(0x4000_0009) + [0, 0, 0, 0, UInt8(password.count)] + password
        let authorization = bytes(UInt32(session.count)) + session
        let body = bytes(code) + bytes(handle) + authorization + parameters
        let message = [0x80, 0x02] + bytes(UInt32(body.count + 6)) + body
        let socket = socket
        let answer = try await ChildProcess.blocking { try Self.send(message, to: socket) }
        guard answer.count >= 10, answer[6..<10].allSatisfy({ $0 == 0 }) else { throw Unavailable() }
    }

    private func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func send(_ message: [UInt8], to path: String) throws -> [UInt8] {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard connected == 0, unsafe write(descriptor, message, message.count) == message.count else {
            throw Unavailable()
        }
        var answer = Array(repeating: UInt8(0), count: 4096)
        let count = unsafe read(descriptor, &answer, answer.count)
        return Array(answer.prefix(max(count, 0)))
    }
}
