import NightlatchRelyingParty
import NightlatchWire

/// The time of a test. It is a task-local value, so tests that run in parallel do not share it.
enum TestTime {
    static let start = NumericDate(secondsSince1970: 1_800_000_000)

    @TaskLocal static var current = start

    static let clock = WallClock { current }

    /// Runs `body` at a time `duration` later than the caller's.
    @discardableResult
    static func after<Value>(_ duration: Duration, _ body: () async throws -> Value) async throws -> Value {
        try await $current.withValue(current + duration, operation: body)
    }
}
