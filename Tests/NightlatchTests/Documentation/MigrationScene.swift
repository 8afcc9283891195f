import NightlatchTesting
import Testing

/// An app that moves its secrets from an old place into a vault. Each start of the app continues the move.
protocol MigrationScene: Sendable {
    /// The store of the vault, and of what fails together with it.
    var faultyStore: FaultyStore { get }
    var oldItems: OldItems { get }

    /// The app's actions at its start.
    func proceed() async throws
    /// Checks that each secret is in the old place or in the vault, and that the next start completes the move.
    func expectNothingLost(_ situation: Comment) async throws
}

extension MigrationScene {
    /// Interrupts the move at each call of the vault's store.
    ///
    /// - Parameters:
    ///   - count: The lowest plausible number of interrupted moves.
    ///   - make: Returns a new app.
    static func crashAtEachStoreCall(atLeast count: Int, _ make: () -> Self) async throws {
        let rehearsal = make()
        try await rehearsal.proceed()
        let points = try await CrashPoint.forEach(of: rehearsal.faultyStore.callCount) { point in
            let scene = make()
            scene.faultyStore.fail(at: point.call, point.fault)
            await #expect(throws: (any Error).self, "\(point)") { try await scene.proceed() }
            scene.faultyStore.repair()
            try await scene.expectNothingLost("\(point)")
        }
        #expect(points >= count)
    }

    /// Interrupts the move at each call of the old place. It has the parameters of
    /// ``crashAtEachStoreCall(atLeast:_:)``.
    static func crashAtEachOldItem(atLeast count: Int, _ make: () -> Self) async throws {
        let rehearsal = make()
        try await rehearsal.proceed()
        let callCount = rehearsal.oldItems.callCount
        for call in 0..<callCount {
            let scene = make()
            scene.oldItems.fail(at: call)
            await #expect(throws: OldItems.Unavailable.self, "call \(call)") { try await scene.proceed() }
            scene.oldItems.fail(at: nil)
            try await scene.expectNothingLost("call \(call)")
        }
        #expect(callCount >= count)
    }
}
