/// What loads of one kind on one server have given.
struct LoadRounds {
    private var result = LoadGenerator.Result()
    /// Of each round.
    private var processorTimes: [Double] = []

    init() {}

    /// One round.
    ///
    /// - Parameter processorTime: The server's, in milliseconds.
    init(_ result: LoadGenerator.Result, processorTime: Double) {
        self.result = result
        processorTimes = [processorTime / Double(result.durations.count)]
    }

    static func += (left: inout Self, right: Self) {
        left.result += right.result
        left.processorTimes += right.processorTimes
    }

    /// The server's processor time for a login: the median of the rounds, so that what else the machine did in one of them does not count.
    var millisecondsPerLogin: Double {
        let sorted = processorTimes.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    var loginsPerSecond: Double { Double(result.durations.count) / (result.passed / .seconds(1)) }

    func milliseconds(percentile: Int) -> Double { result.milliseconds(percentile: percentile) }
}
