public import Foundation
public import Nightlatch

/// The settings of a workflow that do not depend on its protocol. A ``JourneyConfig`` inherits them.
public class WorkflowConfig {
    private struct Registration {
        let name: String
        let priority: Int
        let canBeReplaced: Bool
        var config: any Sendable
    }

    /// The maximum time for each answer of the server, in seconds.
    public var timeout: TimeInterval = 30
    public var logger: (any JourneyLogger)?
    /// The transport to the server, such as `URLSessionTransport` of `NightlatchPlatform`.
    public var transport: (any HTTPTransport)?
    /// Returns the store for the session or for the tokens, which has this name. It must return the same store for the
    /// same name each time.
    ///
    /// ```swift
    /// config.secureStore = { name in KeychainStore(service: "com.example.app", account: name) }
    /// ```
    ///
    /// The name depends on the server, the realm and the client, and consists of small letters, digits and hyphens. If
    /// this is not set, session and tokens are kept only in memory, until the ``Journey`` is released.
    public var secureStore: (@Sendable (_ name: String) -> any SecureStore)?
    private var registrations: [Registration] = []

    init() {}

    /// Registers a module.
    ///
    /// - Parameters:
    ///   - module: The module: ``OidcModule/config`` or ``SessionModule/config``.
    ///   - priority: Decides between several registrations of one module; see ``OverrideMode/append``.
    ///   - mode: The effect if the module is already registered.
    ///   - config: Changes the settings. It is called at once.
    public func module<Config: Sendable>(
        _ module: Module<Config>,
        priority: Int = 10,
        mode: OverrideMode = .override,
        _ config: @escaping @Sendable (Config) -> Void = { _ in }
    ) {
        let earlier = registrations.firstIndex { $0.name == module.name && $0.canBeReplaced }
        let isKnown = registrations.contains { $0.name == module.name }
        guard mode != .ignore || !isKnown else { return }
        let settings = module.makeConfig()
        config(settings)
        if mode == .override, let earlier {
            registrations[earlier].config = settings
        } else {
            registrations.append(
                Registration(
                    name: module.name, priority: priority, canBeReplaced: mode != .append, config: settings))
        }
    }

    /// The settings of `module` that count. Nil if it is not registered.
    func settings<Config>(of module: Module<Config>) -> Config? {
        var found: Registration?
        for registration in registrations where registration.name == module.name {
            if registration.priority >= found?.priority ?? .min { found = registration }
        }
        return found?.config as? Config
    }
}
