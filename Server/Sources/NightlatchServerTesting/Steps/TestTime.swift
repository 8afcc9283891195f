package import NightlatchRelyingParty
package import NightlatchWire

/// The current time of a test. It is a task-local value, so tests that run in parallel do not share it.
package enum TestTime {
    package static let start = NumericDate(secondsSince1970: 1_800_000_000)

    @TaskLocal package static var current = start

    /// The time by which the clock was set ahead since ``start``; negative if it was set back.
    @TaskLocal private static var jumps = Duration.zero

    package static let clock = WallClock({ current }, uptime: { current - start - jumps })

    /// Runs `body` at a time `duration` later than the caller's.
    @discardableResult
    package static func after<Value>(_ duration: Duration, _ body: () async throws -> Value) async throws -> Value {
        try await $current.withValue(current + duration, operation: body)
    }

    /// Runs `body` with the clock set ahead by `duration`, or back if it is negative. No time passes.
    @discardableResult
    package static func setting<Value>(
        _ duration: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await $jumps.withValue(jumps + duration) { try await after(duration, body) }
    }
}
