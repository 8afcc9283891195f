public import Nightlatch

/// A person at a PIN prompt who answers from a script, and remembers what they were asked. Copies of the value share both.
///
/// ```swift
/// let person = ScriptedPerson(entering: [.pin("860527"), .pin("295038")])
/// let result = try await LocalAuthService(profile: id, in: profiles, prompt: person).unlock(reason: "Show the balance")
/// #expect(person.enterings.map(\.failureCount) == [0, 1])
/// ```
///
/// When the script has run out they cancel.
public struct ScriptedPerson: PinPrompt {
    /// What the person does when asked for the PIN that the profile has.
    public enum Entering: Sendable {
        case pin(String)
        case cancel
        case forget
        case useBiometrics
        /// Answers with a box whose PIN was taken already, as a defective prompt would.
        case emptyBox
        /// Does something else first, such as waiting, and then the next thing in the script.
        case first(@Sendable () async -> Void)
    }

    /// What the person does when asked to choose a PIN.
    public enum Creating: Sendable {
        case pin(String)
        case cancel
        /// Answers with a box whose PIN was taken already, as a defective prompt would.
        case emptyBox
        /// Does something else first, and then the next thing in the script.
        case first(@Sendable () async -> Void)
    }

    private struct Script {
        var entering: [Entering]
        var creating: [Creating]
        var enterings: [PinChallenge] = []
        var creatings: [CreatePinChallenge] = []
    }

    private let script: Shared<Script>

    public init(entering: [Entering] = [], creating: [Creating] = []) {
        script = Shared(Script(entering: entering, creating: creating))
    }

    /// What the person was asked for the PIN, in order.
    public var enterings: [PinChallenge] { script.withLock { $0.enterings } }
    /// What the person was asked to choose a PIN, in order.
    public var creatings: [CreatePinChallenge] { script.withLock { $0.creatings } }

    /// Adds to the end of the script.
    public func add(entering: [Entering] = [], creating: [Creating] = []) {
        script.withLock {
            $0.entering += entering
            $0.creating += creating
        }
    }

    public func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        script.withLock { $0.enterings.append(challenge) }
        while let next = script.withLock({ $0.entering.isEmpty ? nil : $0.entering.removeFirst() }) {
            switch next {
            case .pin(let digits): return .pin(Self.box(digits))
            case .cancel: return .cancelled
            case .forget: return .forgotten
            case .useBiometrics: return .biometrics
            case .emptyBox: return .pin(Self.emptyBox)
            case .first(let act): await act()
            }
        }
        return .cancelled
    }

    public func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
        script.withLock { $0.creatings.append(challenge) }
        while let next = script.withLock({ $0.creating.isEmpty ? nil : $0.creating.removeFirst() }) {
            switch next {
            case .pin(let digits): return .pin(Self.box(digits))
            case .cancel: return .cancelled
            case .emptyBox: return .pin(Self.emptyBox)
            case .first(let act): await act()
            }
        }
        return .cancelled
    }

    private static func box(_ digits: String) -> PinBox {
        do {
            return PinBox(try Pin(digits: SecretBytes(copying: Array(digits.utf8))))
        } catch {
            preconditionFailure("a script with a PIN that cannot be typed: \(error)")
        }
    }

    private static var emptyBox: PinBox {
        let box = box("482915")
        _ = box.take()
        return box
    }
}
