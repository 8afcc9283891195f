internal import NightlatchWire

/// The kinds of callbacks that have a class in this module, by the server's names.
enum CallbackKinds {
    static func callback(_ json: JSONObject, binding: CallbackBinding) -> any StatefulCallback {
        let state = CallbackState(json)
        return switch state.type {
        case "NameCallback", "ValidatedCreateUsernameCallback": NameCallback(state)
        case "PasswordCallback", "ValidatedCreatePasswordCallback": PasswordCallback(state)
        case "TextInputCallback": TextInputCallback(state)
        case "TextOutputCallback", "SuspendedTextOutputCallback": TextOutputCallback(state)
        case "ChoiceCallback": ChoiceCallback(state)
        case "ConfirmationCallback": ConfirmationCallback(state)
        case "DeviceBindingCallback": DeviceBindingCallback(state, binding)
        case "DeviceSigningVerifierCallback": DeviceSigningVerifierCallback(state, binding)
        default: UnknownCallback(state)
        }
    }
}
