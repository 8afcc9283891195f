public import Foundation

/// The results on one device, as the app exports them. README.md describes the JSON.
public struct DeviceReport: Codable, Hashable, Sendable {
    /// The state of one check.
    public struct Check: Codable, Hashable, Sendable {
        public let id: Assumption
        /// `not_run`, `waiting`, or a verdict: `held`, `did_not_hold`, `not_possible`.
        public let state: String
        /// The step that a waiting check waits for.
        public let step: GuidedStep?
        public let facts: Facts?
        /// The time of the verdict.
        public let time: String?

        init(_ id: Assumption, _ state: CheckState) {
            self.id = id
            switch state {
            case .notRun: (self.state, step, facts, time) = (Self.notRun, nil, nil, nil)
            case .waiting(let step): (self.state, self.step, facts, time) = (Self.waiting, step, nil, nil)
            case .done(let verdict, let facts, let time):
                (self.state, step, self.facts, self.time) = (verdict.rawValue, nil, facts, time)
            }
        }

        private static let notRun = "not_run"
        private static let waiting = "waiting"

        /// The state of the check. Nil if the members contradict each other.
        public var checkState: CheckState? {
            if let verdict = Verdict(rawValue: state), let facts, let time, step == nil {
                return .done(verdict, facts, time: time)
            }
            guard facts == nil, time == nil else { return nil }
            switch (state, step) {
            case (Self.notRun, nil): return .notRun
            case (Self.waiting, let step?): return .waiting(step)
            default: return nil
            }
        }
    }

    public static let newestFormat = 1

    public let format: Int
    public let device: DeviceDescription
    /// The time of the report, in the form of RFC 3339.
    public let time: String
    public let checks: [Check]

    init(device: DeviceDescription, time: String, checks: [Check]) {
        (format, self.device, self.time, self.checks) = (Self.newestFormat, device, time, checks)
    }

    /// The report as JSON, with sorted members, so that two reports can be compared line by line.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
