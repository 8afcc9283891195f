import Foundation
import Subprocess
import Testing

/// A PKCS#11 token in software (SoftHSM), in a folder of its own.
struct SoftToken {
    static let pin = "87654321"
    static let label = "nightlatch"
    private static let libraries = [
        "/usr/lib/softhsm/libsofthsm2.so", "/opt/homebrew/lib/softhsm/libsofthsm2.so",
        "/usr/local/lib/softhsm/libsofthsm2.so",
    ]

    let library: String
    private let folder: TemporaryFolder
    private let configuration: String

    /// The file with the token's PIN.
    var pinFile: String { folder.path + "/token.pin" }

    /// The address of the key `key`.
    func uri(of key: String, token: String = label) -> String {
        "pkcs11:token=\(token);object=\(key)?module-path=\(library)&pin-source=file:\(pinFile)"
    }

    /// A program with arguments that runs a command which finds this token.
    var wrapper: [String] { ["env", "SOFTHSM2_CONF=" + configuration] }

    /// Makes a token without keys in `folder`.
    init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        configuration = folder.path + "/softhsm2.conf"
        library = try #require(
            Self.libraries.first { FileManager.default.fileExists(atPath: $0) }, "SoftHSM is missing")
        let tokens = folder.path + "/tokens"
        try FileManager.default.createDirectory(atPath: tokens, withIntermediateDirectories: true)
        try Data("directories.tokendir = \(tokens)\nobjectstore.backend = file\n".utf8)
            .write(to: URL(filePath: configuration))
        try write(pin: Self.pin)
        try await makeTwin()
    }

    func write(pin: String) throws {
        try? FileManager.default.removeItem(atPath: pinFile)
        #expect(
            FileManager.default.createFile(
                atPath: pinFile, contents: Data((pin + "\n").utf8), attributes: [.posixPermissions: 0o600]))
    }

    /// Has the token make a secret key that never leaves it.
    func makeKey(_ label: String, type: String = "GENERIC:32", isPrivate: Bool = true) async throws {
        try await tool(
            ["--keygen", "--key-type", type, "--sensitive", "--usage-sign", "--label", label]
                + (isPrivate ? ["--private"] : []))
    }

    /// Has the token make a secret key, and returns the key.
    func makeOpenKey(_ label: String) async throws -> [UInt8] {
        try await tool(
            ["--keygen", "--key-type", "GENERIC:32", "--extractable", "--private", "--usage-sign", "--label", label])
        let file = folder.path + "/secret"
        try await tool(["--read-object", "--type", "secrkey", "--label", label, "--output-file", file])
        let key = Array(try Data(contentsOf: URL(filePath: file)))
        try FileManager.default.removeItem(atPath: file)
        return key
    }

    /// Makes a token with the label; if there is one already, another one.
    func makeTwin() async throws {
        try await run(
            "softhsm2-util", "--init-token", "--free", "--label", Self.label, "--so-pin", "12345678", "--pin", Self.pin)
    }

    private func tool(_ arguments: [String]) async throws {
        try await run(
            ["pkcs11-tool", "--module", library, "--token-label", Self.label, "--login", "--pin", Self.pin] + arguments)
    }

    private func run(_ line: String...) async throws { try await run(line) }

    private func run(_ line: [String]) async throws {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments(Array(wrapper.dropFirst()) + line), output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardOutput)\(result.standardError)")
    }
}
