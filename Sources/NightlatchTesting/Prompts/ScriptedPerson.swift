public import Nightlatch

/// A user at a PIN prompt who answers from a script. Also records the challenges. Copies of the value share both.
///
/// ```swift
/// let person = ScriptedPerson(entering: [.pin("860527"), .pin("295038")])
/// let service = LocalAuthService(profile: id, in: profiles, prompt: person)
/// let result = try await service.unlock(reason: "Show the balance")
/// #expect(person.enterings.map(\.attempts.failureCount) == [0, 1])
/// ```
///
/// At the end of the script, the user cancels.
public struct ScriptedPerson: PinPrompt {
    /// An action of the user when asked for the profile's PIN.
    public enum Entering: Sendable {
        case pin(String)
        case cancel
        case forget
        case useBiometrics
        /// Answers with a box whose PIN was already taken, like a defective prompt.
        case emptyBox
        /// Runs a closure, which may wait, and then continues with the script.
        case first(@Sendable () async -> Void)
    }

    /// An action of the user when asked to choose a PIN.
    public enum Creating: Sendable {
        case pin(String)
        case cancel
        /// Answers with a box whose PIN was already taken, like a defective prompt.
        case emptyBox
        /// Runs a closure, and then continues with the script.
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

    /// The challenges for the profile's PIN so far, in order.
    public var enterings: [PinChallenge] { script.withLock { $0.enterings } }
    /// The challenges for a new PIN so far, in order.
    public var creatings: [CreatePinChallenge] { script.withLock { $0.creatings } }

    /// Adds actions to the end of the script.
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
            preconditionFailure("the script has an invalid PIN: \(error)")
        }
    }

    private static var emptyBox: PinBox {
        let box = box("482915")
        _ = box.take()
        return box
    }
}
