/// The accumulated results of loads on a server.
struct ServerLoad {
    private var logins = LoadGenerator.Result()
    /// Processor time of the server, in milliseconds.
    private var processorTime = 0.0

    init() {}

    init(_ logins: LoadGenerator.Result, processorTime: Double) {
        self.logins = logins
        self.processorTime = processorTime
    }

    var loginCount: Int { logins.durations.count }

    var millisecondsPerLogin: Double { processorTime / Double(loginCount) }

    var loginsPerSecond: Double { Double(loginCount) / (logins.passed / .seconds(1)) }

    func milliseconds(percentile: Int) -> Double { logins.milliseconds(percentile: percentile) }

    static func += (left: inout Self, right: Self) {
        left.logins += right.logins
        left.processorTime += right.processorTime
    }
}
