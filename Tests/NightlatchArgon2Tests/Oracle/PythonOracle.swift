#if os(Linux) || os(macOS)
import Foundation

/// Other implementations of Argon2id and BLAKE2b, which share no code with ours: the reference implementation behind
/// Python's `argon2`, and Python's `hashlib`.
struct PythonOracle {
    private let interpreter: String

    struct Unavailable: Error, CustomStringConvertible {
        let description = """
            These tests hold our Argon2id against the reference implementation. Install python3 with the package argon2: \
            `apt-get install python3-argon2` on Debian, `pip3 install argon2-cffi` elsewhere. `make test` does it on Debian.
            """
    }

    private struct Failed: Error {
        let status: Int32
    }

    /// - Throws: ``Unavailable`` if no Python has the package.
    init() throws {
        let found = Self.candidates.first { candidate in
            (try? Self.run(candidate, "import argon2.low_level", input: "")) != nil
        }
        guard let found else { throw Unavailable() }
        interpreter = found
    }

    /// Runs `script` on `lines` and returns the lines that it prints.
    func answers(of script: String, to lines: [String]) throws -> [String] {
        try Self.run(interpreter, script, input: lines.map { $0 + "\n" }.joined())
            .split(separator: "\n").map(String.init)
    }

    /// The first Python of the search path, then the system's Python, for which the distribution builds its packages.
    private static var candidates: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/python3" }.first(
            where: FileManager.default.isExecutableFile)
        return [found, "/usr/bin/python3"].compactMap(\.self)
    }

    private static func run(_ interpreter: String, _ script: String, input: String) throws -> String {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: interpreter)
        // The script reads all of the input before it prints, so that neither side waits for the other.
        process.arguments = ["-c", "import sys\nlines = sys.stdin.read().splitlines()\n" + script]
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return String(decoding: output, as: UTF8.self)
    }
}
#endif
