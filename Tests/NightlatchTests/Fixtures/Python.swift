import Foundation

/// Python as an oracle that shares no code with ours.
enum Python {
    private static let path = "/usr/bin/python3"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs `script` with `input` and returns its output.
    static func run(_ script: String, input: String) throws -> String {
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
