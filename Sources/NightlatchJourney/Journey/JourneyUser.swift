internal import Nightlatch

/// The user of one login of a journey.
struct JourneyUser: User {
    let journey: Journey
    let login: JourneyLogin

    var session: (any SSOToken)? { login.session }

    func token() async -> Result<Token, OidcError> {
        await withClient { await $0.token(login: login.number) }
    }

    func refresh() async -> Result<Token, OidcError> {
        await withClient { await $0.refresh(login: login.number) }
    }

    func revoke() async {
        _ = await journey.oidc?.revoke(always: true, of: login)
    }

    func userinfo(cache: Bool) async -> Result<UserInfo, OidcError> {
        await withClient { await $0.userinfo(cache: cache, login: login.number) }
    }

    func logout() async {
        guard journey.sessions.login == login.number else {
            journey.logger?.w("another login has replaced the one to log out, and is kept", error: nil)
            return
        }
        _ = await journey.leave()
    }

    private func withClient<Value>(
        _ call: (OidcClient) async -> Result<Value, OidcError>
    ) async -> Result<Value, OidcError> {
        guard let client = journey.oidc else {
            return .failure(.unknown(message: "The journey has no server or no OidcModule."))
        }
        return await call(client)
    }
}

extension Journey {
    /// Returns the user of the session, or of the stored tokens. Nil if there are neither.
    ///
    /// If a storage cannot be read now, there may be a session or tokens: a user is returned, and ``User/token()``
    /// reports the error. The user is that of the last login: after another login, call this function again.
    public func journeyUser() async -> (any User)? {
        let login: JourneyLogin
        do {
            login = try await sessions.current()
        } catch {
            logger?.w("the stored session cannot be read", error: error)
            return JourneyUser(journey: self, login: JourneyLogin(number: sessions.login, session: nil))
        }
        let user = JourneyUser(journey: self, login: login)
        guard login.token == nil else { return user }
        do {
            return try await oidc?.hasTokens() == true ? user : nil
        } catch {
            logger?.w("the stored tokens cannot be read", error: error)
            return user
        }
    }
}
