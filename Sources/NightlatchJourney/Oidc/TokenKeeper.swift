internal import Crypto
internal import Foundation
internal import Nightlatch
internal import NightlatchWire

/// The tokens of one client: in their storage, and in memory while the storage cannot be written.
///
/// Only operations on the tokens, which run one after the other, read and change them. ``hasTokens()`` changes nothing,
/// and may be called at any time.
final class TokenKeeper: Sendable {
    /// A change of the storage that has failed. The next operation repeats it.
    private enum PendingChange: Sendable {
        /// New tokens could not be stored. The stored refresh token is then no longer valid.
        case token(Token)
        /// Removed tokens could not be deleted.
        case deletion
    }

    private let storage: any Storage<Token>
    private let logger: (any JourneyLogger)?
    private let pending = Locked<PendingChange?>(nil)
    /// The fingerprint of the session that the app deleted last, until there are new tokens.
    private let deletedSession = Locked<String?>(nil)

    init(storage: any Storage<Token>, logger: (any JourneyLogger)?) {
        self.storage = storage
        self.logger = logger
    }

    /// Whether there are tokens that can be used without a session. Throws if the storage cannot be read.
    func hasTokens() async throws -> Bool {
        switch pending.withLock({ $0 }) {
        case .token(let token)?: return isFor(nil, token)
        case .deletion?: return false
        case nil: return try await read().map { isFor(nil, $0) } ?? false
        }
    }

    /// Returns the tokens, and tries again to store or delete them if that failed before.
    func stored() async throws -> Token? {
        switch pending.withLock({ $0 }) {
        case nil: return try await read()
        case .token(let token)?:
            await save(token)
            return token
        case .deletion?:
            do {
                try await delete()
            } catch {
                logger?.w("the removed tokens can still not be deleted", error: error)
            }
            return nil
        }
    }

    /// Keeps new tokens. They count from now on, even if they cannot be stored.
    func save(_ token: Token) async {
        pending.withLock { $0 = .token(token) }
        deletedSession.withLock { $0 = nil }
        do {
            try await storage.save(item: token)
            pending.withLock { $0 = nil }
        } catch {
            logger?.e("new tokens could not be stored, and are in memory only", error: error)
        }
    }

    /// Removes the tokens. They are not used any more, even if they cannot be deleted now.
    func delete() async throws {
        pending.withLock { $0 = .deletion }
        try await storage.delete()
        pending.withLock { $0 = nil }
    }

    /// Stops the use of tokens of other sessions. The app has deleted `session`.
    func sessionWasDeleted(_ session: String) {
        deletedSession.withLock { $0 = Self.fingerprint(session) }
    }

    /// Whether tokens may be used in this session. Tokens of another session may be those of another user.
    ///
    /// Without a session, the one that the app deleted last counts.
    func isFor(_ session: String?, _ token: Token) -> Bool {
        let fingerprint = session.map(Self.fingerprint) ?? deletedSession.withLock { $0 }
        guard let fingerprint, let known = token.session else { return true }
        return fingerprint == known
    }

    static func fingerprint(_ session: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data("nightlatch session \(session)".utf8))))
    }

    /// Returns the stored tokens; nil if there are none, or if they are damaged. Damaged tokens stay until new ones
    /// replace them.
    private func read() async throws -> Token? {
        try await storage.undamaged { logger?.e("the stored tokens are damaged", error: $0) }
    }
}
