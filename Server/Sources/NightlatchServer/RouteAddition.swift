package import NightlatchRelyingParty

/// Routes of another module that a relying party serves, such as the operators' console.
public struct RouteAddition: Sendable {
    package let add: @Sendable (_ root: RouteGroup, _ shared: SharedParts) -> Void
    /// Whether the routes are those of the login page. The authorization endpoint then sends browsers there.
    package let isLoginPage: Bool
    /// Whether the routes are those of the operators' console.
    package let isConsole: Bool

    package init(
        isLoginPage: Bool = false, isConsole: Bool = false,
        _ add: @escaping @Sendable (_ root: RouteGroup, _ shared: SharedParts) -> Void
    ) {
        self.isLoginPage = isLoginPage
        self.isConsole = isConsole
        self.add = add
    }

    /// The parts that added routes share with the relying party's own routes.
    package struct SharedParts: Sendable {
        package let configuration: RelyingPartyConfiguration
        package let store: any RelyingPartyStore
        package let apps: AppRegistry
        package let keyring: MasterKeyring
        package let readiness: Readiness
        package let clock: WallClock
        package let refusals: RefusalTally
        package let concurrencyLimit: ConcurrencyLimit
        package let addressLimit: AddressLimit
        package let loginPage: LoginPageCeremony
        /// Whether the routes of the login page are served.
        package let hasLoginPage: Bool
    }
}
