package import NightlatchRelyingParty

/// Routes of another module that a relying party serves, such as the operators' console.
public struct RouteAddition: Sendable {
    package let add: @Sendable (_ root: RouteGroup, _ shared: SharedParts) -> Void

    package init(_ add: @escaping @Sendable (_ root: RouteGroup, _ shared: SharedParts) -> Void) { self.add = add }

    /// The parts that added routes share with the relying party's own routes.
    package struct SharedParts: Sendable {
        package let configuration: RelyingPartyConfiguration
        package let store: any RelyingPartyStore
        package let apps: AppRegistry
        package let masterKey: MasterKey
        package let readiness: Readiness
        package let clock: WallClock
        package let refusals: RefusalTally
        package let concurrencyLimit: ConcurrencyLimit
        package let addressLimit: AddressLimit
    }
}
