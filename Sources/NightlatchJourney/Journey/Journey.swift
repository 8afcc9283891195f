public import Foundation
internal import Nightlatch
internal import NightlatchWire

/// An authentication journey of PingAM or PingOne Advanced Identity Cloud, step by step.
///
/// ```swift
/// let journey = Journey.createJourney { config in
///     config.serverUrl = "https://example.com/am"
///     config.realm = "alpha"
///     config.transport = URLSessionTransport()
///     config.deviceBinding = environment
/// }
/// var node = await journey.start("Login")
/// while let step = node as? ContinueNode {
///     for callback in step.callbacks {
///         switch callback {
///         case let callback as NameCallback: callback.name = "demo"
///         case let callback as PasswordCallback: callback.password = typed
///         case let callback as DeviceSigningVerifierCallback: await callback.sign()
///         default: break
///         }
///     }
///     node = await step.next()
/// }
/// ```
///
/// A journey keeps the session token, in memory or in ``WorkflowConfig/secureStore``, and sends it with later requests.
/// If the store fails, the session is used from memory, and stored by a later call; see ``User``.
/// Each step has its own state, so several steps can be pending at the same time. Make one journey for each server,
/// realm and client: two of them would renew the same tokens at the same time.
public final class Journey: Sendable {
    let server: JourneyServer?
    let deviceBinding: DeviceBindingEnvironment?
    let logger: (any JourneyLogger)?
    let sessions: SessionKeeper
    /// The tokens. Nil without ``OidcModule`` or without a server.
    let oidc: OidcClient?

    init(_ config: JourneyConfig) {
        server = JourneyServer(config)
        deviceBinding = config.deviceBinding
        logger = config.logger
        let sessions = SessionKeeper(storage: config.sessionStorage(at: server), logger: config.logger)
        self.sessions = sessions
        oidc = server.flatMap { config.oidcClient(at: $0, sessions) }
        if let deviceBinding { BindingModule.use(deviceBinding) }
    }

    /// Creates a journey with the settings of `configure`.
    ///
    /// If a setting is missing or the server is not `https`, every start returns ``JourneyError/notConfigured``.
    public static func createJourney(block configure: (JourneyConfig) -> Void = { _ in }) -> Journey {
        let config = JourneyConfig()
        configure(config)
        return Journey(config)
    }

    /// Starts the journey `name`.
    public func start(
        _ name: String,
        configure: (inout JourneyOptions) -> Void = { _ in }
    ) async -> any Node {
        var options = JourneyOptions()
        configure(&options)
        let run = JourneyRun(journey: self, options: options)
        var query = "authIndexType=service&authIndexValue=\(FormText.escape(name))"
        if options.forceAuth { query += "&ForceAuth=true" }
        if options.noSession { query += "&noSession=true" }
        return await run.send(.object(JSONObject()), query: query)
    }

    /// Resumes a journey that the server suspended, with the link that the server sent.
    ///
    /// - Parameters:
    ///   - uri: The link, with its `suspendedId`. The rest of the link is ignored, so no other server is contacted.
    ///   - configure: Changes the options of the steps that follow.
    public func resume(
        _ uri: URL,
        configure: (inout JourneyOptions) -> Void = { _ in }
    ) async -> any Node {
        let items = URLComponents(url: uri, resolvingAgainstBaseURL: false)?.queryItems ?? []
        guard let suspended = items.first(where: { $0.name == "suspendedId" })?.value else {
            return FailureNode(.notConfigured)
        }
        var options = JourneyOptions()
        configure(&options)
        let run = JourneyRun(journey: self, options: options)
        return await run.send(nil, query: "suspendedId=\(FormText.escape(suspended))")
    }
}

extension JourneyError {
    static func refused(_ answer: JourneyServer.Answer) -> JourneyError {
        .refused(status: answer.status, message: answer.body["message"]?.string ?? "")
    }
}
