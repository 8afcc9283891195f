#if os(Linux) || os(macOS)
import Foundation
import NightlatchVaultProcess

/// The process of the target `NightlatchVaultProcess`, whose program is beside the tests' program.
enum VaultProcess {
    /// The build of the process.
    enum Build: String, CaseIterable, Sendable {
        case debug, release

        /// The existing builds: `make test` makes the release build; without it, only the debug build is tested.
        static var made: [Build] { allCases.filter { FileManager.default.isExecutableFile(atPath: $0.program.path) } }

        fileprivate var program: URL {
            let folder =
                switch self {
                case .debug: VaultProcess.folder
                case .release: VaultProcess.packageFolder.appending(path: ".build/release")
                }
            return folder.appending(path: "NightlatchVaultProcess")
        }
    }

    /// - Parameter path: The vault, if the work uses one.
    static func make(
        _ work: VaultProcessWork, path: String? = nil, _ arguments: [String] = [], build: Build = .debug
    ) -> Process {
        let process = Process()
        process.executableURL = build.program
        process.arguments = [work.rawValue] + (path.map { [$0] } ?? []) + arguments
        return process
    }

    /// Runs the process with `input` and returns its output. The process must succeed.
    static func output(
        _ work: VaultProcessWork, path: String? = nil, arguments: [String] = [], input: Data = Data(),
        build: Build = .debug
    )
        async throws -> Data
    {
        try await onThreadOfItsOwn {
            let process = make(work, path: path, arguments, build: build)
            let (stdin, stdout) = (Pipe(), Pipe())
            process.standardInput = stdin
            process.standardOutput = stdout
            try process.run()
            // The process reads all of the input before it prints.
            try stdin.fileHandleForWriting.write(contentsOf: input)
            try stdin.fileHandleForWriting.close()
            return try outputOfSuccess(process, stdout)
        }
    }

    /// Reads the rest of the process's output, and checks that it succeeds.
    static func outputOfSuccess(_ process: Process, _ stdout: Pipe) throws -> Data {
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return output
    }

    /// The process ended by itself, but without success.
    struct Failure: Error {
        let status: Int32
    }

    /// Runs `work`, which waits for another process, without blocking a thread that tasks share.
    static func onThreadOfItsOwn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static var packageFolder: URL {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }

    private static var folder: URL {
        // On Apple systems the tests are a bundle that another program has loaded; elsewhere they are the program.
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (tests ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
}
#endif
