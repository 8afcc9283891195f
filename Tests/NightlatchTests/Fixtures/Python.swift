#if os(Linux) || os(macOS)
import Foundation

/// Python as an oracle that shares no code with ours.
enum Python {
    private struct Missing: Error, CustomStringConvertible {
        let description = """
            These tests compare our results with Python's. Install python3 with the packages argon2 and cryptography: \
            `apt-get install python3-argon2 python3-cryptography` on Debian, `pip3 install argon2-cffi cryptography` \
            elsewhere. `make test` does it on Debian.
            """
    }

    /// The first Python of the search path, and the system's.
    private static var candidates: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/python3" }.first(
            where: FileManager.default.isExecutableFile)
        return [found, "/usr/bin/python3"].compactMap(\.self).filter(FileManager.default.isExecutableFile)
    }

    /// The first of the candidates that has both packages.
    private static let path: String? = candidates.first { candidate in
        let process = Process()
        process.executableURL = URL(filePath: candidate)
        process.arguments = ["-c", "import argon2, cryptography"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Whether there is a Python. If it lacks a package, the tests fail instead of being skipped.
    static var isInstalled: Bool { !candidates.isEmpty }

    /// Runs `script` with `input` and returns its output.
    static func run(_ script: String, input: String) throws -> String {
        guard let path else { throw Missing() }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", script]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        // Scripts read all of the input before they print, and pipes hold more than tests write.
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
#endif
