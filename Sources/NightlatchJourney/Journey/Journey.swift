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
/// A journey keeps the session token in memory and sends it with later requests. Each step has its own state, so
/// several steps can be pending at the same time.
public final class Journey: Sendable {
    let server: JourneyServer?
    let deviceBinding: DeviceBindingEnvironment?
    let logger: (any JourneyLogger)?
    private let current = Locked<JourneySession?>(nil)

    init(_ config: JourneyConfig) {
        server = JourneyServer(config)
        deviceBinding = config.deviceBinding
        logger = config.logger
    }

    /// Creates a journey with the settings of `configure`.
    ///
    /// If a setting is missing or the server is not `https`, every start returns ``JourneyError/notConfigured``.
    public static func createJourney(_ configure: (JourneyConfig) -> Void) -> Journey {
        let config = JourneyConfig()
        configure(config)
        return Journey(config)
    }

    /// The session of the last journey. Nil if there is none.
    public var session: JourneySession? { current.withLock { $0 } }

    /// Starts the journey `name`.
    public func start(
        _ name: String,
        configure: (inout JourneyOptions) -> Void = { _ in }
    ) async -> any Node {
        var options = JourneyOptions()
        configure(&options)
        let run = JourneyRun(journey: self, options: options)
        var query = "authIndexType=service&authIndexValue=\(JourneyServer.escape(name))"
        if options.forceAuth { query += "&ForceAuth=true" }
        if options.noSession { query += "&noSession=true" }
        return await run.send(.object(JSONObject()), query: query)
    }

    /// Resumes a journey that the server suspended, with the link that the server sent.
    ///
    /// - Parameter uri: The link, with its `suspendedId`. The rest of the link is ignored, so no other server is
    ///   contacted.
    public func resume(_ uri: URL) async -> any Node {
        let items = URLComponents(url: uri, resolvingAgainstBaseURL: false)?.queryItems ?? []
        guard let suspended = items.first(where: { $0.name == "suspendedId" })?.value else {
            return FailureNode(.notConfigured)
        }
        let run = JourneyRun(journey: self, options: JourneyOptions())
        return await run.send(nil, query: "suspendedId=\(JourneyServer.escape(suspended))")
    }

    /// Ends the session, first at the server. After an error the token is kept: call again.
    public func signOff() async -> Result<Void, any Error> {
        guard let server else { return .failure(JourneyError.notConfigured) }
        guard let token = session?.value, !token.isEmpty else {
            keep(nil)
            return .success(())
        }
        do {
            let answer = try await server.send(
                "POST", "/sessions?_action=logout", version: "resource=3.1, protocol=1.0",
                body: .object(JSONObject()), session: token)
            // A token that the server does not know has already ended.
            guard answer.status < 300 || answer.status == 401 else {
                return .failure(JourneyError.refused(answer))
            }
            current.withLock { if $0?.value == token { $0 = nil } }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    func keep(_ session: JourneySession?) {
        current.withLock { $0 = session }
    }
}

extension JourneyError {
    static func refused(_ answer: JourneyServer.Answer) -> JourneyError {
        .refused(status: answer.status, message: answer.body["message"]?.string ?? "")
    }
}
