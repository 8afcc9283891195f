import Metrics
import NightlatchRelyingParty

/// The metrics of the connections to PostgreSQL.
enum PostgresMetrics {
    private static let groupSize = Recorder(label: MetricName.postgresGroupSize.rawValue)
    private static let connectionsInUse = Meter(label: MetricName.poolConnectionsInUse.rawValue)

    /// Records how many verbs shared a transaction.
    static func record(groupOf count: Int) { groupSize.record(count) }

    /// Runs `work` on a connection, which counts as in use until it returns.
    static func withConnection<Value>(_ work: () throws -> Value) rethrows -> Value {
        connectionsInUse.increment()
        defer { connectionsInUse.decrement() }
        return try work()
    }
}
