internal import NightlatchWire

/// Asks for the user's name.
public final class NameCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// The question.
    public var prompt: String { state.output("prompt")?.string ?? "" }

    public var name: String {
        get { state.input(at: 0)?.string ?? "" }
        set { state.setInput(at: 0, to: .string(newValue)) }
    }
}

/// Asks for a password or a one-time code.
public final class PasswordCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// The question.
    public var prompt: String { state.output("prompt")?.string ?? "" }

    public var password: String {
        get { state.input(at: 0)?.string ?? "" }
        set { state.setInput(at: 0, to: .string(newValue)) }
    }
}

/// Asks for a text.
public final class TextInputCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// The question.
    public var prompt: String { state.output("prompt")?.string ?? "" }
    /// The suggested answer.
    public var defaultText: String { state.output("defaultText")?.string ?? "" }

    public var text: String {
        get { state.input(at: 0)?.string ?? "" }
        set { state.setInput(at: 0, to: .string(newValue)) }
    }
}

/// Shows a message to the user, without a question.
public final class TextOutputCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    public var message: String { state.output("message")?.string ?? "" }
}
