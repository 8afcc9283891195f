import Foundation

/// Assigns processors to the server and to the load generator.
struct ProcessorShare {
    private static let taskset = "/usr/bin/taskset"

    private let processors: [Int]
    private let server: pid_t

    /// Creates a division of this process's processors; nil if there is only one, or if there is no `taskset` or
    /// `/proc`.
    init?(server: pid_t) {
        guard FileManager.default.isExecutableFile(atPath: Self.taskset),
            let status = FileManager.default.contents(atPath: "/proc/self/status"),
            let list = String(decoding: status, as: UTF8.self).firstMatch(of: /Cpus_allowed_list:\s+(\S+)/)
        else { return nil }
        processors = list.1.split(separator: ",").flatMap { range in
            let ends = range.split(separator: "-").compactMap { Int($0) }
            return ends.first.map { Array($0...(ends.last ?? $0)) } ?? []
        }
        guard processors.count > 1 else { return nil }
        self.server = server
    }

    /// Runs `work` while the server has one processor and this process has all others. Afterwards, this process has all
    /// processors again. So does the server, unless `work` threw an error.
    func whileApart<Value>(_ work: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            try set([processors[0]], for: server)
            try set(Array(processors.dropFirst()), for: getpid())
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        try set(processors, for: getpid())
        let value = try result.get()
        try set(processors, for: server)
        return value
    }

    /// Restricts all threads of `process`, and those that they start, to `processors`.
    private func set(_ processors: [Int], for process: pid_t) throws {
        let taskset = Process()
        taskset.executableURL = URL(fileURLWithPath: Self.taskset)
        taskset.arguments = ["-a", "-p", "-c", processors.map(String.init).joined(separator: ","), String(process)]
        taskset.standardOutput = FileHandle.nullDevice
        try taskset.run()
        taskset.waitUntilExit()
        guard taskset.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
