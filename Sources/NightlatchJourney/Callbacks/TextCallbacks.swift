internal import NightlatchWire

/// Asks for a user's name.
public final class NameCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// What to ask.
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

    /// What to ask.
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

    /// What to ask.
    public var prompt: String { state.output("prompt")?.string ?? "" }
    /// What to offer as the answer.
    public var defaultText: String { state.output("defaultText")?.string ?? "" }

    public var text: String {
        get { state.input(at: 0)?.string ?? "" }
        set { state.setInput(at: 0, to: .string(newValue)) }
    }
}

/// Tells the person something, and asks nothing.
public final class TextOutputCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    public var message: String { state.output("message")?.string ?? "" }
}
