/// No protection: the key signs whenever the app runs.
public struct NoneAuthenticator: DeviceAuthenticator {
    public init() {}

    public func type() -> DeviceBindingAuthenticationType { .none }
}
