import Foundation

/// Which processors the server and the load generator run on. Needs `/proc` and `taskset`.
struct ProcessorShare {
    private let processors: [Int]
    private let server: pid_t

    /// Of all that this process may run on; nil if that is one alone.
    init?(server: pid_t) throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let list = status.firstMatch(of: /Cpus_allowed_list:\s+(\S+)/) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        processors = list.1.split(separator: ",").flatMap { range in
            let ends = range.split(separator: "-").compactMap { Int($0) }
            return Array((ends.first ?? 0)...(ends.last ?? 0))
        }
        guard processors.count > 1 else { return nil }
        self.server = server
    }

    /// Runs `work` while the server has one processor and this process all others.
    func whileApart<Value>(_ work: () async throws -> Value) async throws -> Value {
        try set([processors[0]], for: server)
        try set(Array(processors.dropFirst()), for: getpid())
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        for process in [server, getpid()] { try set(processors, for: process) }
        return try result.get()
    }

    /// Has all threads of `process`, and those that they start, run on `processors` alone.
    private func set(_ processors: [Int], for process: pid_t) throws {
        let taskset = Process()
        taskset.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        taskset.arguments = ["-a", "-p", "-c", processors.map(String.init).joined(separator: ","), String(process)]
        taskset.standardOutput = FileHandle.nullDevice
        try taskset.run()
        taskset.waitUntilExit()
        guard taskset.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
