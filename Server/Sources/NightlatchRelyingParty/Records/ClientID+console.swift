package import NightlatchWire

extension Identifier where Rule == ClientIDRule {
    /// The id of this server's console in remote logins. No app can be registered with it.
    package static var console: Self {
        guard let id = Self(rawValue: "nightlatch-console") else {
            preconditionFailure("the id has letters and a hyphen")
        }
        return id
    }
}

extension Identifier where Rule == AppNameRule {
    /// The name of the console of `issuer`, which users see on the device that confirms a sign-in.
    package static func console(of issuer: Issuer) -> Self? {
        Self(rawValue: "Console of \(issuer.rawValue)") ?? Self(rawValue: "Operators’ console")
    }
}
