import GRDB
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Synchronization
import Testing

@Suite("Two-party PINs in the SQLite store")
struct SQLitePinTests {
    /// A clock that advances while an operation waits for the writer: it is later for a caller that has the writer.
    private final class WaitingClock: Sendable {
        private let wait = Mutex(Duration.zero)
        private let path: String

        init(path: String) {
            self.path = path
        }

        func passWhileWaiting(_ duration: Duration) { wait.withLock { $0 = duration } }

        func now() -> NumericDate {
            let wait = wait.withLock(\.self)
            return wait > .zero && isWriterTaken ? TestTime.start + wait : TestTime.start
        }

        private var isWriterTaken: Bool {
            do {
                try DatabaseQueue(path: path).writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) { .rollback }
                }
                return false
            } catch {
                return true
            }
        }
    }

    @Test("The time at which a step gets the writer decides whether the last guess can still be proved")
    func waiting() async throws {
        try await TemporaryFolder.with { folder in
            let clock = WaitingClock(path: folder + "/store.sqlite")
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: WallClock { clock.now() })
            let pin = try await PinSteps.enrolled(in: store)
            let one = try PinSteps.round(1)
            let guess = try await pin.charged(PinSteps.element(), epoch: 1, window: 1, under: one)
            let proof = PinStep.Action.prove(PinSteps.proof(guess.id, epoch: 1, window: 1))
            clock.passWhileWaiting(.seconds(11 * 60))
            let outcome = try await pin.take(proof, under: one)
            guard case .refused(.destroyed, let state) = outcome else { throw StepFailed(outcome: "\(outcome)") }
            #expect(state.current == nil)
            #expect(try await pin.events(.pinKeysDestroyed).map(\.actor) == [.server])
        }
    }
}
