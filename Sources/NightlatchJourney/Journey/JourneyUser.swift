internal import Nightlatch

/// The user of a journey's session.
struct JourneyUser: User {
    let journey: Journey
    let session: (any SSOToken)?

    func token() async -> Result<Token, OidcError> {
        await withClient { client, session in await client.token(session: session) }
    }

    func refresh() async -> Result<Token, OidcError> {
        await withClient { client, session in await client.refresh(session: session) }
    }

    func revoke() async {
        _ = await journey.oidc?.revoke(always: true)
    }

    func userinfo(cache: Bool) async -> Result<UserInfo, OidcError> {
        await withClient { client, session in await client.userinfo(cache: cache, session: session) }
    }

    func logout() async {
        await journey.leave()
    }

    private func withClient<Value>(
        _ call: (OidcClient, String?) async -> Result<Value, OidcError>
    ) async -> Result<Value, OidcError> {
        guard let client = journey.oidc else {
            return .failure(.unknown(message: "The journey has no server or no OidcModule."))
        }
        return await call(client, await journey.sessionToken)
    }
}

extension Journey {
    /// Returns the user of the session, or of the stored tokens. Nil if there are neither.
    ///
    /// If the storage of the tokens cannot be read now, there may be tokens: a user is returned, and ``User/token()``
    /// reports the error.
    public func journeyUser() async -> (any User)? {
        let session = await session()
        let user = JourneyUser(journey: self, session: session)
        guard session?.value.isEmpty != false else { return user }
        do {
            return try await oidc?.hasTokens() == true ? user : nil
        } catch {
            logger?.w("the stored tokens cannot be read", error: error)
            return user
        }
    }
}
