extension CheckState {
    public var title: String {
        switch self {
        case .notRun: "Not run"
        case .waiting: "Waiting for you"
        case .done(.held, _, _): "Held"
        case .done(.didNotHold, _, _): "Did not hold"
        case .done(.notPossible, _, _): "Not possible on this device"
        }
    }

    /// The name of the system's symbol for the state.
    public var symbol: String {
        switch self {
        case .notRun: "circle"
        case .waiting: "hourglass"
        case .done(.held, _, _): "checkmark.circle"
        case .done(.didNotHold, _, _): "xmark.octagon"
        case .done(.notPossible, _, _): "minus.circle"
        }
    }

    /// The facts of a result, sorted by name.
    public var facts: [Fact] {
        guard case .done(_, let facts, _) = self else { return [] }
        return facts.sorted { $0.key < $1.key }.map { Fact(name: $0.key, value: $0.value) }
    }

    /// The instruction of the step that the check waits for.
    public var instruction: String? {
        guard case .waiting(let step) = self else { return nil }
        return step.instruction
    }

    public struct Fact: Hashable, Sendable, Identifiable {
        public let name: String
        public let value: String

        public var id: String { name }
    }
}
