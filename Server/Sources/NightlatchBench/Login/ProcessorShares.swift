import Foundation

/// Keeps a load generator, which is this process, and the servers that it loads on processors of their own: on the same ones each finds
/// the other's data in the caches, and a server is charged for what its generator has done there. Phones are no neighbours of their
/// server.
///
/// By the command `taskset` of Linux, where there are two processors or more; elsewhere all run on all of them.
struct ProcessorShares {
    private static let taskset = "/usr/bin/taskset"
    /// Those that this process may run on.
    private let all: [Int]

    /// Gives the first half of this process's processors to `servers`, which have started, and keeps the other until ``rejoin()``.
    init(servers: [pid_t]) throws {
        all = try Self.processors()
        guard all.count > 1 else { return }
        let half = (all.count + 1) / 2
        for server in servers { try Self.move(server, to: all.prefix(half)) }
        try Self.move(getpid(), to: all.suffix(all.count - half))
    }

    /// Lets this process run on all its processors again.
    func rejoin() throws {
        if all.count > 1 { try Self.move(getpid(), to: all[...]) }
    }

    private static func processors() throws -> [Int] {
        guard FileManager.default.isExecutableFile(atPath: taskset) else { return [] }
        // Says "pid 1's current affinity list: 0-3,6".
        let list = try run(["-c", "-p", "\(getpid())"]).split(separator: " ").last ?? ""
        return list.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").flatMap { range in
            let ends = range.split(separator: "-").compactMap { Int($0) }
            return (ends.first ?? 0)...(ends.last ?? 0)
        }
    }

    /// All threads of a process; those that they begin stay there too.
    private static func move(_ process: pid_t, to processors: ArraySlice<Int>) throws {
        _ = try run(["-a", "-p", "-c", processors.map(String.init).joined(separator: ","), "\(process)"])
    }

    private static func run(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: taskset)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: said, as: UTF8.self)
    }
}
