import Foundation
import NightlatchRelyingParty

/// Metrics of this process, read from the system on each scrape. A value that the system does not provide is left out.
struct ProcessMetrics: Sendable {
    private let start = Date.now.timeIntervalSince1970

    /// The process's metrics in the text format of ``PrometheusMetrics``.
    var text: String {
        var text = Self.lines(.processStart, .gauge, start)
        var usage = rusage()
        // 0 is RUSAGE_SELF; its type in Swift differs between systems.
        if unsafe getrusage(.init(0), &usage) == 0 {
            text += Self.lines(.processCPU, .counter, Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
        }
        if let pages = Self.residentPageCount {
            text += Self.lines(.processResidentMemory, .gauge, Double(pages * Int(getpagesize())))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // Reading the folder opens one more file.
            text += Self.lines(.processOpenFiles, .gauge, Double(files.count - 1))
        }
        return text
    }

    private static var residentPageCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

    private static func lines(_ name: MetricName, _ kind: PrometheusKind, _ value: Double) -> String {
        "# HELP \(name.rawValue) \(name.help)\n# TYPE \(name.rawValue) \(kind.rawValue)\n\(name.rawValue) \(value)\n"
    }
}
