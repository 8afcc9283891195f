/// A figure in `bench-results.json`.
struct Measurement: Encodable {
    let name: String
    let value: Double
    let unit: String
    /// The worst acceptable value; nil for none.
    let bar: Double?
    /// The value to reach; nil for none.
    let goal: Double?
    let better: Direction

    enum Direction: String, Encodable {
        case lower
        case higher
    }

    init(_ name: String, _ value: Double, _ unit: String, bar: Double? = nil, goal: Double? = nil, better: Direction) {
        self.name = name
        self.value = (value * 10_000).rounded() / 10_000
        self.unit = unit
        self.bar = bar
        self.goal = goal
        self.better = better
    }

    /// Whether the value is worse than the bar.
    var isMissed: Bool {
        guard let bar else { return false }
        // A value that is not a number misses the bar.
        return better == .lower ? !(value <= bar) : !(value >= bar)
    }

    private enum CodingKeys: CodingKey {
        case name, value, unit, bar, goal, better
    }

    /// Encodes every member, with null for a missing bar or goal.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(bar, forKey: .bar)
        try container.encode(goal, forKey: .goal)
        try container.encode(better, forKey: .better)
    }
}
