internal import NightlatchWire

/// Asks the user to choose one of several choices.
public final class ChoiceCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// The question.
    public var prompt: String { state.output("prompt")?.string ?? "" }
    public var choices: [String] { (state.output("choices")?.array ?? []).compactMap(\.string) }
    public var defaultChoice: Int { state.output("defaultChoice")?.integer ?? 0 }

    /// The index of the selected choice, from 0.
    public var selectedIndex: Int {
        get { state.input(at: 0)?.integer ?? defaultChoice }
        set { state.setInput(at: 0, to: .number("\(newValue)")) }
    }
}

/// Asks the user to choose one of several buttons.
public final class ConfirmationCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// The question.
    public var prompt: String { state.output("prompt")?.string ?? "" }
    public var options: [String] { (state.output("options")?.array ?? []).compactMap(\.string) }
    public var defaultOption: Int { state.output("defaultOption")?.integer ?? 0 }

    /// The index of the selected option, from 0. Before an option is selected, this is the server's value, and it may
    /// be the index of no option. Nil if there is none, and setting nil changes nothing.
    public var selectedIndex: Int? {
        get { state.input(at: 0)?.integer }
        set { if let newValue { state.setInput(at: 0, to: .number("\(newValue)")) } }
    }
}
