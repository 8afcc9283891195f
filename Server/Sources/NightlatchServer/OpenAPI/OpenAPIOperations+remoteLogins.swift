import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let remoteLogins = [
        OpenAPIOperation(
            route: .remoteLogins, name: "listRemoteLogins",
            summary: "The remote logins that wait for the caller's user.",
            details: """
                Oldest first. If `limit_reached` is true, more logins were requested for the user than the \
                server allows: warn the user.
                """,
            caller: .session, answer: "RemoteLoginNoticeList", nonce: .always),
        OpenAPIOperation(
            route: .claimRemoteLogin, name: "claimRemoteLogin",
            summary: "Shows the login of a scanned login page to the caller's user.",
            details: """
                The code is the text of the QR code after `#`. Idempotent for one user. If devices of two users \
                scan one code, the login ends.
                """, caller: .session,
            body: .json(schema: "RemoteLoginClaim"), answer: "RemoteLoginNotice", nonce: .always,
            refusals: [.notFound, .remoteLoginEnded]),
        OpenAPIOperation(
            route: .beginRemoteLogin, name: "beginRemoteLogin", summary: "A challenge for a decision.",
            details: "The challenge is valid for two minutes. Nothing is stored.",
            caller: .session, body: .json(schema: "RemoteLoginRequest"), answer: "CeremonyChallenge", nonce: .always,
            refusals: [.notFound, .remoteLoginEnded]),
        OpenAPIOperation(
            route: .finishRemoteLogin, name: "finishRemoteLogin",
            summary: "Records the decision that the device key signed.",
            details: """
                The message is a JWS with `typ` `nightlatch-remote-login+jwt`. To confirm a login with a number, \
                it has the number that the user entered; a wrong number ends the login. The same message gives \
                the current state until its challenge expires.
                """,
            body: .json(schema: "SignedAnswer"), answer: "RemoteLoginResult", nonce: .always,
            refusals: challengeRefusals + [.notFound, .remoteLoginChanged, .remoteLoginEnded]),
    ]
}
