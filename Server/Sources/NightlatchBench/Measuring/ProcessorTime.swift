import Foundation

/// Processor time and memory of processes. On a shared machine, processor time is more reliable than elapsed time.
enum ProcessorTime {
    /// Returns the processor time of this process, in milliseconds.
    static func ofThisProcess() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Returns the processor time of another process, in milliseconds, to the nearest clock tick of the system. Needs
    /// `/proc`.
    static func of(_ process: pid_t) throws -> Double { try stat(of: process).milliseconds }

    private struct Stat {
        let parent: pid_t
        let milliseconds: Double
        /// The time of the ended children for which the process has waited.
        let millisecondsOfEnded: Double
    }

    private static func stat(of process: pid_t) throws -> Stat {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is a name in brackets, which may contain spaces. The parent is field 4, and the times are
        // fields 14 to 17.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 15, let parent = pid_t(fields[2]) else { throw CocoaError(.fileReadCorruptFile) }
        let times = fields[12...15].compactMap { Double($0) }
        guard times.count == 4 else { throw CocoaError(.fileReadCorruptFile) }
        let tick = 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
        return Stat(
            parent: parent, milliseconds: (times[0] + times[1]) * tick,
            millisecondsOfEnded: (times[2] + times[3]) * tick)
    }

    /// Returns the processor time of another process and its children, in milliseconds, to the nearest clock tick of
    /// the system. An ended child counts if the process has waited for it. Needs `/proc`.
    static func ofFamily(of parent: pid_t) throws -> Double {
        let own = try stat(of: parent)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            .reduce(own.milliseconds + own.millisecondsOfEnded) { time, process in
                // A process that has just ended has no file.
                guard let stat = try? stat(of: process), stat.parent == parent else { return time }
                return time + stat.milliseconds
            }
    }

    /// Resets the peak resident memory of this process. Needs `/proc`.
    ///
    /// - Returns: The resident memory now, in MiB.
    static func resetPeakMemory() throws -> Double {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return try peakMemory(of: getpid())
    }

    /// Returns the peak resident memory of a process, in MiB. Needs `/proc`.
    static func peakMemory(of process: pid_t) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let kibibytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Double($0.1) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return kibibytes / 1024
    }
}
