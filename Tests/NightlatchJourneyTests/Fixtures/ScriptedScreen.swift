import Nightlatch
import NightlatchJourney
import NightlatchTesting

/// A user at the app's screens who answers from a script, and records the prompts. Copies of the value share both.
struct ScriptedScreen: Sendable {
    enum Typing: Sendable {
        case pin(String)
        case cancel
        /// Never answers. Runs `act` first.
        case silence(@Sendable () -> Void)
    }

    private struct Script {
        var typing: [Typing] = []
        var habit: Typing = .cancel
        var prompts: [Prompt] = []
        var choice: (@Sendable ([UserKey]) -> UserKey?)?
        var offered: [[UserKey]] = []
    }

    private let script = Shared(Script())

    func type(_ typing: Typing...) {
        script.withLock { $0.typing += typing }
    }

    /// Types these digits whenever the script is empty. By default, nothing is typed then.
    func alwaysType(_ digits: String) {
        script.withLock { $0.habit = .pin(digits) }
    }

    func choose(_ choice: @escaping @Sendable ([UserKey]) -> UserKey?) {
        script.withLock { $0.choice = choice }
    }

    var prompts: [Prompt] { script.withLock { $0.prompts } }
    var offered: [[UserKey]] { script.withLock { $0.offered } }

    var userInterface: BindingUserInterface {
        BindingUserInterface(
            collectPin: { prompt in
                let next = script.withLock { script in
                    script.prompts.append(prompt)
                    return script.typing.isEmpty ? script.habit : script.typing.removeFirst()
                }
                switch next {
                case .pin(let digits): return digits
                case .cancel: return nil
                case .silence(let act):
                    act()
                    let (nothing, end) = AsyncStream<Void>.makeStream()
                    for await _ in nothing {}
                    end.finish()
                    return nil
                }
            },
            selectKey: { keys, _ in
                let choice = script.withLock { script in
                    script.offered.append(keys)
                    return script.choice
                }
                return choice?(keys)
            })
    }
}
