#if os(Linux) || os(macOS)
import Foundation

/// Python as an oracle that shares no code with ours.
enum Python {
    private struct Missing: Error, CustomStringConvertible {
        let description = """
            These tests compare our results with Python's. Install python3 with the package cryptography: \
            `apt-get install python3-cryptography` on Debian, `pip3 install cryptography` elsewhere. `make test` does it.
            """
    }

    /// The first Python that has the package `cryptography`: of the search path, or the system's.
    private static let path: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        let first = folders.map { $0 + "/python3" }.first(where: FileManager.default.isExecutableFile)
        return [first, "/usr/bin/python3"].compactMap(\.self).first { path in
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = ["-c", "import cryptography"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }()

    static var isInstalled: Bool { path != nil }

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
