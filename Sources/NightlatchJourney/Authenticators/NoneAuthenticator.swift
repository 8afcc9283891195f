/// Nothing protects the key: it signs whenever the app runs.
public struct NoneAuthenticator: DeviceAuthenticator {
    public init() {}

    public func type() -> DeviceBindingAuthenticationType { .none }
}
