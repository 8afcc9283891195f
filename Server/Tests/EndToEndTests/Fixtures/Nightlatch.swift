import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The command `nightlatch` that was built beside these tests.
enum Nightlatch {
    static let path = program("nightlatch")

    /// The command `nightlatch-demo`.
    static let demoPath = program("nightlatch-demo")

    private static func program(_ name: String) -> String {
        // The tests' own program is in the same folder: inside a bundle on Apple systems, directly on Linux.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return name
    }

    /// The command's environment. It sets the cheapest key derivation.
    static let environment = Environment.inherit.updating(["NIGHTLATCH_KEY_DERIVATION": "pbkdf2-hmac-sha256"])

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - pins: Lines for standard input, from which `--pin-fd 0` reads.
    ///   - wrapper: In the other form, a program with arguments that runs the command.
    static func run(
        _ arguments: String...,
        pins: [String] = [],
        environment: Environment = Nightlatch.environment
    ) async throws -> Outcome {
        try await run(arguments, pins: pins, environment: environment)
    }

    /// Runs the demonstration to its end.
    static func runDemo(
        _ arguments: String...,
        environment: Environment = Nightlatch.environment
    ) async throws -> Outcome {
        try await run(arguments, program: demoPath, environment: environment)
    }

    static func run(
        _ arguments: [String],
        program: String = path,
        pins: [String] = [],
        wrapper: [String] = [],
        environment: Environment = Nightlatch.environment
    ) async throws -> Outcome {
        let line = wrapper + [program] + arguments
        let result = try await Subprocess.run(
            line[0].contains("/") ? .path(FilePath(line[0])) : .name(line[0]),
            arguments: Arguments(Array(line.dropFirst())), environment: environment,
            input: .fileDescriptor(try Self.lines(pins), closeAfterSpawningProcess: true),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput,
            errors: result.standardError)
    }

    /// Makes an unlinked file of these lines. A pipe would not do: a command may end without reading it.
    private static func lines(_ lines: [String]) throws -> FileDescriptor {
        let path = FileManager.default.temporaryDirectory.path + "/nightlatch-test-" + UUID().uuidString
        let file = try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
        try FileManager.default.removeItem(atPath: path)
        try file.writeAll(lines.map { $0 + "\n" }.joined().utf8)
        try file.seek(offset: 0, from: .start)
        return file
    }

    /// Starts the command and kills it after `delay`, as a power cut would.
    ///
    /// - Returns: Whether the command had ended before the kill.
    static func runAndKill(_ arguments: String..., pins: [String], after delay: Duration) async throws -> Bool {
        // This sleep waits for nothing: the delay chooses the moment at which the process dies.
        try await runAndKill(arguments, pins: pins) { try await Task.sleep(for: delay) }
    }

    /// Starts the command and kills it when `moment` returns, as a power cut would.
    ///
    /// - Returns: Whether the command had ended before the kill.
    static func runAndKill(
        _ arguments: [String], pins: [String] = [], when moment: () async throws -> Void
    ) async throws -> Bool {
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments), environment: environment,
            input: .fileDescriptor(try Self.lines(pins), closeAfterSpawningProcess: true), output: .discarded,
            error: .discarded
        ) { execution in
            try await moment()
            try? execution.send(signal: .kill)
        }
        if case .exited = result.terminationStatus { return true }
        return false
    }
}

extension TerminationStatus {
    /// The exit status, or the signal as a negative number.
    var number: Int32 {
        switch self {
        case .exited(let code): Int32(code)
        case .signaled(let signal): -Int32(signal)
        }
    }
}
