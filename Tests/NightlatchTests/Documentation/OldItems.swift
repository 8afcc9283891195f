import Nightlatch
import NightlatchTesting
import NightlatchWire

/// The items that an app had stored before it moved to a vault. They can be made to fail. Copies share them.
struct OldItems: Sendable {
    struct Unavailable: Error {}

    private struct State {
        var items: [String: String]
        var callsMade = 0
        var failingCall: Int?
    }

    private let state: Shared<State>

    init(_ items: [String: String]) {
        state = Shared(State(items: items))
    }

    var all: [String: String] { state.withLock { $0.items } }
    var callCount: Int { state.withLock { $0.callsMade } }

    /// Fails at this call from now and at every later one; nil ends the faults.
    func fail(at call: Int?) {
        state.withLock { state in
            state.callsMade = 0
            state.failingCall = call
        }
    }

    func text(named name: String) throws -> String? { try call { $0[name] } }

    func secret(named name: SecretName) throws -> SecretBytes? {
        try text(named: name.rawValue).map { SecretBytes(copying: Array($0.utf8)) }
    }

    func remove(_ name: String) throws { try call { $0[name] = nil } }

    private func call<Value>(_ work: (inout [String: String]) -> Value) throws -> Value {
        let value: Value? = state.withLock { state in
            defer { state.callsMade += 1 }
            if let failing = state.failingCall, state.callsMade >= failing { return nil }
            return work(&state.items)
        }
        guard let value else { throw Unavailable() }
        return value
    }
}
