import Foundation

/// Processor time and memory that was used. Processor time tells more on a shared machine than time that has passed.
enum ProcessorTime {
    /// Of this process, in milliseconds.
    static func ofThisProcess() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Of another process, in milliseconds, to the nearest tick of the system's clock. Needs `/proc`.
    static func of(_ process: pid_t) throws -> Double { try stat(of: process).milliseconds }

    private static func stat(of process: pid_t) throws -> (parent: pid_t, milliseconds: Double) {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is a name in brackets that may hold spaces; the parent is the fourth of all, the times are the 14th and 15th.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 13, let parent = pid_t(fields[2]), let user = Double(fields[12]),
            let system = Double(fields[13])
        else { throw CocoaError(.fileReadCorruptFile) }
        return (parent, (user + system) * 1000 / Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Of another process and all that it has started, in milliseconds, to the nearest tick of the system's clock. Needs `/proc`.
    static func ofFamily(of parent: pid_t) throws -> Double {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            .reduce(0) { time, process in
                // Others may end meanwhile.
                guard let stat = try? stat(of: process) else { return time }
                guard process == parent || stat.parent == parent else { return time }
                return time + stat.milliseconds
            }
    }

    /// Lets the count of this process's greatest resident memory begin anew. Needs `/proc`.
    ///
    /// - Returns: The resident memory now, in MiB.
    static func resetPeakMemory() throws -> Double {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return try peakMemory(of: getpid())
    }

    /// The greatest resident memory that a process has had, in MiB. Needs `/proc`.
    static func peakMemory(of process: pid_t) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let kibibytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Double($0.1) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes / 1024
    }
}
