#if os(Linux) || os(macOS)
import Foundation

/// The server in Python, in its own process, which ends with this one.
final class PingServer: Sendable {
    struct Unavailable: Error, CustomStringConvertible {
        let description = """
            These tests run against a server in Python. Install python3 with the package cryptography: \
            `apt-get install python3-cryptography` on Debian, `pip3 install cryptography` elsewhere. `make test` does it.
            """
    }

    /// One server for all tests: starting it takes long, and journeys are independent.
    static let shared = Result { try PingServer() }

    let url: String
    // The server ends when this pipe closes.
    private let input = Pipe()

    private init() throws {
        guard let python = Self.candidates.first(where: Self.hasCryptography) else { throw Unavailable() }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Server/journey_server.py").standardizedFileURL.path
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: python)
        process.arguments = [script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        guard let port = UInt16(String(decoding: line, as: UTF8.self)) else { throw Unavailable() }
        url = "http://127.0.0.1:\(port)/am"
    }

    /// The first Python of the search path, then the system's Python, for which the distribution builds its packages.
    private static var candidates: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/python3" }
            .first(where: FileManager.default.isExecutableFile)
        return [found, "/usr/bin/python3"].compactMap(\.self)
    }

    private static func hasCryptography(_ python: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", "import cryptography"]
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
#endif
