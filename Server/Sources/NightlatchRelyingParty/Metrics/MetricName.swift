package import Metrics

/// The names of the metrics. `docs/operations.md` explains each metric, and when it should raise an alarm.
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
    case webhookDeliveries = "nightlatch_webhook_deliveries_total"
    case webhookOldest = "nightlatch_webhook_waiting_seconds"
    case buildInfo = "nightlatch_build_info"
    case processResidentMemory = "process_resident_memory_bytes"
    case processCPU = "process_cpu_seconds_total"
    case processOpenFiles = "process_open_fds"
    case processStart = "process_start_time_seconds"

    /// The metric's help line.
    package var help: String {
        switch self {
        case .requests: "Requests answered, by route, method and class of status."
        case .requestSeconds: "Time to answer a request, by route and method."
        case .requestsUnderway: "Requests being answered."
        case .refusals: "Requests refused, by problem code."
        case .connectionsRefused: "Connections refused or closed early, by reason."
        case .requestsUnread: "Requests refused before they were fully read, by reason."
        case .ceremonies: "Completed ceremonies, by purpose."
        case .challenges: "Challenges issued, by purpose."
        case .storeSeconds: "Time of a store verb, by verb, including the time in queues."
        case .storeErrors: "Failed store verbs, by kind of error."
        case .commitGroupSize: "Writes in one SQLite transaction."
        case .postgresGroupSize: "Logins in one PostgreSQL transaction."
        case .poolConnectionsInUse: "PostgreSQL connections in use."
        case .auditHeadsExported:
            "Time of the last export of audit log heads, in seconds since 1970; 0 if never."
        case .webhookDeliveries: "Attempts to deliver an event to a webhook, by result."
        case .webhookOldest: "Age of the oldest event that waits for delivery to a webhook, in seconds; 0 for none."
        case .buildInfo: "Always 1; the labels name the build and the database."
        case .processResidentMemory: "Resident memory of the process, in bytes."
        case .processCPU: "Processor time used by the process, in seconds."
        case .processOpenFiles: "Files and sockets opened by the process."
        case .processStart: "Start time of the process, in seconds since 1970."
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
