import Nightlatch
import NightlatchWire

extension ScriptedRelyingParty {
    struct RemoteLogin {
        var notice: RemoteLoginNotice
        let number: RemoteLoginNumber?
        var state = RemoteLoginState.pending
    }

    /// A browser, or a backend, asks for a login.
    func requestLogin(_ details: RemoteLoginDetails, number: RemoteLoginNumber?) -> RemoteLoginID {
        let notice = RemoteLoginNotice(id: .random(), details: details)
        remoteLogins.append(RemoteLogin(notice: notice, number: number))
        return notice.id
    }

    /// Opens a login page, which shows a code.
    func showCode(for details: RemoteLoginDetails) -> RemoteLoginCode {
        let code = RemoteLoginCode(unchecked: Challenge.random().rawValue)
        remoteLoginCodes[code] = RemoteLoginNotice(id: .random(), details: details)
        return code
    }

    /// Ends a login, or changes its details, without the device.
    func changeLogin(_ id: RemoteLoginID, to state: RemoteLoginState? = nil, details: RemoteLoginDetails? = nil) {
        guard let index = remoteLogins.firstIndex(where: { $0.notice.id == id }) else { return }
        if let state { remoteLogins[index].state = state }
        if let details { remoteLogins[index].notice = RemoteLoginNotice(id: id, details: details) }
    }

    /// Gives every decision on a login this answer.
    func answerLogins(with result: RemoteLoginResult) { remoteLoginAnswer = result }

    func state(ofLogin id: RemoteLoginID) -> RemoteLoginState? { remoteLogins.first { $0.notice.id == id }?.state }

    func remoteLogins(_ authorization: Authorization) throws(RelyingPartyError) -> RemoteLoginNoticeList {
        try perform(.remoteLogins) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            let pending = remoteLogins.filter { $0.state == .pending }.map(\.notice)
            return RemoteLoginNoticeList(logins: pending, isLimitReached: pending.count >= 3)
        }
    }

    func claimRemoteLogin(
        _ claim: RemoteLoginClaim,
        _ authorization: Authorization
    ) throws(RelyingPartyError) -> RemoteLoginNotice {
        try perform(.claimRemoteLogin) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            guard let notice = remoteLoginCodes[claim.code] else { throw Self.refusal(.remoteLoginEnded) }
            if state(ofLogin: notice.id) == nil { remoteLogins.append(RemoteLogin(notice: notice, number: nil)) }
            return notice
        }
    }

    func beginRemoteLogin(
        _ request: RemoteLoginRequest,
        _ authorization: Authorization
    ) throws(RelyingPartyError) -> RemoteLoginChallenge {
        try perform(.beginRemoteLogin) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            guard let state = state(ofLogin: request.login) else { throw Self.refusal(.notFound) }
            guard state == .pending else { throw Self.refusal(.remoteLoginEnded) }
            let (challenge, handle) = makeChallenge(for: nil)
            return RemoteLoginChallenge(
                challenge: challenge, handle: handle, issuedAt: Self.now + age,
                expiresAt: Self.now + age + .seconds(120))
        }
    }

    func finishRemoteLogin(_ answer: RemoteLoginAnswer) throws(RelyingPartyError) -> RemoteLoginResult {
        try perform(.finishRemoteLogin) { () throws(RelyingPartyError) in
            let message = try read(answer.message)
            decisions.append(message)
            guard let device = devices.values.first(where: { isSigned(message, by: $0.key) }),
                let claims = try? message.claims(RemoteLoginClaims.self), claims.audience == issuer,
                claims.subject == device.result.user,
                challenges.removeValue(forKey: answer.handle)?.challenge == claims.challenge,
                let index = remoteLogins.firstIndex(where: { $0.notice.id == claims.login })
            else { throw Self.refusal(.messageRefused) }
            if let bar = device.bar { throw Self.refusal(bar) }
            guard remoteLogins[index].state == .pending else { throw Self.refusal(.remoteLoginEnded) }
            guard remoteLogins[index].notice.details.hash == claims.detailsHash else {
                throw Self.refusal(.remoteLoginChanged)
            }
            remoteLogins[index].state =
                switch claims.decision {
                case .reject: .rejected
                case .confirm: remoteLogins[index].number == claims.number ? .confirmed : .numberWrong
                }
            return remoteLoginAnswer ?? RemoteLoginResult(login: claims.login, state: remoteLogins[index].state)
        }
    }
}
