internal import Nightlatch
internal import NightlatchWire

extension Journey {
    /// Returns the session of the last journey. Nil if there is none.
    ///
    /// Nil also if its storage cannot be read now, which is logged. The stored session then stays.
    public func session() async -> (any SSOToken)? { await currentSession }

    /// The session, if it has a token.
    var sessionToken: String? {
        get async {
            guard let token = await currentSession?.value, !token.isEmpty else { return nil }
            return token
        }
    }

    /// Removes the session from this device. The server is not asked, so its session remains; see ``signOff()``.
    public func deleteSession() async { await removeSession(nil) }

    /// Removes the session if its token is still `token`; nil removes any session.
    private func removeSession(_ token: String?) async {
        do {
            try await sessions.remove(token)
        } catch {
            logger?.e("the stored session could not be removed", error: error)
        }
    }

    /// Revokes the tokens, if there are any, and ends the session, first at the server.
    ///
    /// After an error, what the server did not confirm is kept: call again. ``User/logout()`` removes everything in any
    /// case.
    public func signOff() async -> Result<Void, any Error> {
        guard let server else { return .failure(JourneyError.notConfigured) }
        if let error = await oidc?.revoke(always: false) { return .failure(error) }
        do {
            guard let token = try await sessions.current()?.value, !token.isEmpty else {
                try await sessions.remove()
                return .success(())
            }
            try await end(token, at: server)
            try await sessions.remove(token)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// The name of ``signOff()`` in the vendor's samples.
    public func journeySignOff() async -> Result<Void, any Error> { await signOff() }

    /// Revokes the tokens and ends the session, and removes both even if the server does not answer.
    func leave() async {
        _ = await oidc?.revoke(always: true)
        let token = await sessionToken
        if let server, let token {
            do {
                try await end(token, at: server)
            } catch {
                logger?.w("the session was not ended at the server", error: error)
            }
        }
        await removeSession(token)
    }

    func keep(_ session: JourneySession) async {
        do {
            try await sessions.keep(session)
        } catch {
            logger?.e("the session could not be stored, and is in memory only", error: error)
        }
    }

    private var currentSession: JourneySession? {
        get async {
            do {
                return try await sessions.current()
            } catch {
                logger?.w("the stored session cannot be read", error: error)
                return nil
            }
        }
    }

    private func end(_ token: String, at server: JourneyServer) async throws(JourneyError) {
        let answer = try await server.send(
            "POST", "/sessions?_action=logout", version: "resource=3.1, protocol=1.0",
            body: .object(JSONObject()), session: token)
        // A token that the server does not know has already ended.
        guard answer.status < 300 || answer.status == 401 else { throw .refused(answer) }
    }
}
