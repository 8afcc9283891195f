package import Metrics

/// The names of the metrics. `docs/operations.md` explains each, and when it should raise an alarm.
package enum MetricName: String, CaseIterable, Sendable {
    case requests = "nightlatch_requests_total"
    case requestSeconds = "nightlatch_request_seconds"
    case requestsUnderway = "nightlatch_requests_in_flight"
    case refusals = "nightlatch_refusals_total"
    case connectionsRefused = "nightlatch_connections_refused_total"
    case requestsUnread = "nightlatch_requests_unread_total"
    case ceremonies = "nightlatch_ceremonies_total"
    case challenges = "nightlatch_challenges_total"
    case storeSeconds = "nightlatch_store_seconds"
    case storeErrors = "nightlatch_store_errors_total"
    case commitGroupSize = "nightlatch_sqlite_group_size"
    case postgresGroupSize = "nightlatch_postgres_group_size"
    case poolConnectionsInUse = "nightlatch_postgres_connections_in_use"
    case auditHeadsExported = "nightlatch_audit_heads_exported_timestamp_seconds"
    case buildInfo = "nightlatch_build_info"
    case processResidentMemory = "process_resident_memory_bytes"
    case processCPU = "process_cpu_seconds_total"
    case processOpenFiles = "process_open_fds"
    case processStart = "process_start_time_seconds"

    /// The metric's help line.
    package var help: String {
        switch self {
        case .requests: "Requests answered, by route, method and class of status."
        case .requestSeconds: "How long answering took, by route and method."
        case .requestsUnderway: "Requests that are being answered."
        case .refusals: "Requests refused, by problem code."
        case .connectionsRefused: "Connections that were not served, or no further, by reason."
        case .requestsUnread: "Requests refused before they had come to their end, by reason."
        case .ceremonies: "Ceremonies that came to their end, by what they were for."
        case .challenges: "Challenges given, by purpose."
        case .storeSeconds: "How long the store took, by verb, waiting included."
        case .storeErrors: "Verbs that the store did not answer, by kind of error."
        case .commitGroupSize: "Writes that one transaction of SQLite held."
        case .postgresGroupSize: "Logins that one transaction of PostgreSQL held."
        case .poolConnectionsInUse: "Connections to PostgreSQL that are working."
        case .auditHeadsExported:
            "When the audit log's heads last stood in their file, in seconds since 1970; 0 if not yet."
        case .buildInfo: "Always 1; its labels say what runs."
        case .processResidentMemory: "Memory that the process has, in bytes."
        case .processCPU: "Processor time that the process has used, in seconds."
        case .processOpenFiles: "Files and sockets that the process has open."
        case .processStart: "When the process started, in seconds since 1970."
        }
    }
}

extension Counter {
    package convenience init(_ name: MetricName, _ dimensions: [(String, String)] = []) {
        self.init(label: name.rawValue, dimensions: dimensions)
    }
}

extension Metrics.Timer {
    package convenience init(_ name: MetricName, _ dimensions: [(String, String)]) {
        self.init(label: name.rawValue, dimensions: dimensions)
    }

    /// Records the time since `start`.
    package func record(since start: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
