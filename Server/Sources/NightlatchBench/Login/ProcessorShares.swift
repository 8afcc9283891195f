import Foundation

/// Keeps a load generator, which is this process, and the servers that it loads on processors of their own: on the same ones each finds
/// the other's data in the caches, and a server is charged for what its generator has done there. Phones are no neighbours of their
/// server.
///
/// By the command `taskset` of Linux, where there are two processors or more; elsewhere all run on all of them.
struct ProcessorShares {
    private static let taskset = "/usr/bin/taskset"
    private let count = ProcessInfo.processInfo.activeProcessorCount

    /// Gives the first half of the processors to `servers`, which have started, and the other to this process, until ``rejoin()``.
    init(servers: [pid_t]) throws {
        guard count > 1 else { return }
        let half = (count + 1) / 2
        for server in servers { try Self.move(server, to: 0..<half) }
        try Self.move(getpid(), to: half..<count)
    }

    /// Lets this process run on all processors again.
    func rejoin() throws {
        try Self.move(getpid(), to: 0..<count)
    }

    /// All threads of a process; those that they begin stay there too.
    private static func move(_ process: pid_t, to processors: Range<Int>) throws {
        guard FileManager.default.isExecutableFile(atPath: taskset) else { return }
        let mover = Process()
        mover.executableURL = URL(fileURLWithPath: taskset)
        mover.arguments = ["-a", "-p", "-c", "\(processors.lowerBound)-\(processors.upperBound - 1)", "\(process)"]
        mover.standardOutput = FileHandle.nullDevice
        try mover.run()
        mover.waitUntilExit()
        guard mover.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
