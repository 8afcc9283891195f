internal import Crypto
internal import Foundation
internal import Nightlatch
internal import NightlatchWire

extension JourneyConfig {
    func sessionStorage(at server: JourneyServer?) -> any Storage<SSOTokenImpl> {
        let module = settings(of: SessionModule.config)
        if let chosen = module?.chosenStorage { return chosen }
        guard let server, let secureStore else { return module?.storage ?? MemoryStorage() }
        return SecureStorage(secureStore(Self.storeName("session", server.name)))
    }

    /// The client for tokens. Nil if ``OidcModule`` is not registered.
    func oidcClient(at server: JourneyServer, _ sessions: SessionKeeper) -> OidcClient? {
        guard let oidc = settings(of: OidcModule.config) else { return nil }
        let transport = OidcTransport(
            transport: server.transport, timeout: server.timeout, sessionHeader: server.cookie,
            sessionServer: server.issuer.rawValue)
        return OidcClient(
            oidc, storage: tokenStorage(oidc, server), sessions: sessions, transport: transport, logger: logger)
    }

    private func tokenStorage(
        _ oidc: OidcClientConfig,
        _ server: JourneyServer
    ) -> any Storage<Token> {
        guard let secureStore, oidc.settings.storage == nil else { return oidc.storage }
        return SecureStorage(secureStore(Self.storeName("tokens", "\(server.name) \(oidc.clientId)")))
    }

    /// A name that every Keychain and every file system accepts.
    private static func storeName(_ kind: String, _ owner: String) -> String {
        let digits = SHA256.hash(data: Data(owner.utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "journey-\(kind)-\(digits.joined())"
    }
}
