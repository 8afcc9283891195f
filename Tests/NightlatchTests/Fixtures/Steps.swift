import Nightlatch
import NightlatchTesting

/// Counts the steps of one party, over everything that it uses, and lets a test act just before one of them.
struct Steps: Sendable {
    private struct Notes {
        var count = 0
        var interruption: (step: Int, action: @Sendable () async -> Void)?
    }

    private let notes = Shared(Notes())

    var count: Int { notes.withLock { $0.count } }

    /// Counts from zero again, and runs `action` once just before the `step`-th.
    func interrupt(at step: Int, _ action: @escaping @Sendable () async -> Void) {
        notes.withLock { $0 = Notes(interruption: (step, action)) }
    }

    /// Counts a step that is about to begin.
    func step() async {
        let action = notes.withLock { notes -> (@Sendable () async -> Void)? in
            defer { notes.count += 1 }
            guard let interruption = notes.interruption, interruption.step == notes.count else { return nil }
            notes.interruption = nil
            return interruption.action
        }
        await action?()
    }
}
