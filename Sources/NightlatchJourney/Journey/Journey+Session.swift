internal import Nightlatch
internal import NightlatchWire

extension Journey {
    /// Returns the session of the last journey. Nil if there is none.
    ///
    /// Nil also if its storage cannot be read now, which is logged. The stored session then stays.
    public func session() async -> (any SSOToken)? { await currentLogin?.session }

    /// The session, if it has a token.
    var sessionToken: String? {
        get async { await currentLogin?.token }
    }

    /// Removes the session and the transport's cookies from this device.
    ///
    /// The session's tokens remain. Tokens of an earlier session are not used any more and are removed, because they
    /// may be another user's.
    ///
    /// The server is not asked, so its session remains too; see ``signOff()``. The session is not used any more, even
    /// if its storage cannot be written now. That is logged, and the next call of the journey deletes it. If the app
    /// ends before that, the stored session counts after the next start. The same holds for the tokens of an earlier
    /// session.
    public func deleteSession() async {
        let deleted = await sessionToken
        server?.transport.forgetCookies()
        do {
            try await sessions.remove()
        } catch {
            logger?.e("the stored session could not be removed", error: error)
        }
        if let deleted { oidc?.sessionWasDeleted(deleted) }
    }

    /// Revokes the tokens, if there are any, and ends the session, first at the server.
    ///
    /// While it runs, no call gets tokens or uses the session. After an error, the session or the tokens whose end the
    /// server did not confirm are kept: call again. It runs to its end even if its caller is cancelled. If the app ends
    /// before that, the session and the tokens that were not revoked count after the next start. ``User/logout()`` and
    /// ``journeySignOff()`` remove everything in any case.
    public func signOff() async -> Result<Void, any Error> {
        guard let server else { return .failure(JourneyError.notConfigured) }
        return await Task {
            do {
                let login = try await self.sessions.setAside()
                server.transport.forgetCookies()
                do {
                    if let error = await self.oidc?.revoke(always: false, of: login) { throw error }
                    if let token = login.token { try await self.end(token, at: server) }
                } catch {
                    self.sessions.putBack(login)
                    throw error
                }
                try await self.sessions.remove(login.number)
                return .success(())
            } catch {
                return .failure(error)
            }
        }.value
    }

    /// Removes session and tokens from this device, then revokes the tokens and ends the session at the server.
    ///
    /// Returns the first error of the server or of a storage. Even then, neither session nor tokens are used any more:
    /// the next call of the journey deletes those that could not be deleted, and the server accepts those that it did
    /// not end until they expire. ``signOff()`` keeps session and tokens after an error, so that it can be repeated.
    public func journeySignOff() async -> Result<Void, any Error> {
        if let error = await leave() { return .failure(error) }
        return server == nil ? .failure(JourneyError.notConfigured) : .success(())
    }

    /// Ends the session; see ``journeySignOff()``. It runs to its end even if its caller is cancelled.
    ///
    /// - Returns: The first error.
    func leave() async -> (any Error)? {
        await Task {
            var failure: (any Error)?
            var login = JourneyLogin(number: self.sessions.login, session: nil)
            do {
                login = try await self.sessions.setAside()
            } catch {
                self.logger?.w("the stored session cannot be read, and was not ended at the server", error: error)
                failure = error
            }
            self.server?.transport.forgetCookies()
            do {
                try await self.sessions.remove(login.number)
            } catch {
                self.logger?.e("the stored session could not be removed", error: error)
                failure = failure ?? error
            }
            if let error = await self.oidc?.revoke(always: true, of: login) { failure = failure ?? error }
            guard let server = self.server, let token = login.token else { return failure }
            do {
                try await self.end(token, at: server)
            } catch {
                self.logger?.w("the session was not ended at the server", error: error)
                failure = failure ?? error
            }
            return failure
        }.value
    }

    func keep(_ session: JourneySession, sent: String?) async {
        do {
            try await sessions.keep(session, sent: sent)
        } catch {
            logger?.e("the session could not be stored, and is in memory only", error: error)
        }
    }

    /// The login that counts now. Nil if its storage cannot be read.
    private var currentLogin: JourneyLogin? {
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
