import Nightlatch
import NightlatchTesting

/// The call of a store at which a simulated process crashes.
struct CrashPoint: CustomStringConvertible {
    let call: Int
    let fault: FaultyStore.Fault

    var description: String { "\(fault) call \(call)" }

    /// Runs `body` for each of `callCount` calls and both kinds of fault.
    static func forEach(of callCount: Int, _ body: (CrashPoint) async throws -> Void) async throws -> Int {
        for call in 0..<callCount {
            for fault in FaultyStore.Fault.allCases { try await body(CrashPoint(call: call, fault: fault)) }
        }
        return callCount * FaultyStore.Fault.allCases.count
    }
}
