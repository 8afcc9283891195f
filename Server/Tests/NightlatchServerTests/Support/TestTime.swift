import NightlatchServer
import NightlatchWire

/// The time of a test. A task-local value, so tests that run side by side do not share it.
enum TestTime {
    static let start = NumericDate(secondsSince1970: 1_800_000_000)

    @TaskLocal static var current = start

    static let clock = WallClock { current }

    /// Runs `body` `duration` later than the caller.
    static func after(_ duration: Duration, _ body: () async throws -> Void) async throws {
        try await $current.withValue(current + duration, operation: body)
    }
}
