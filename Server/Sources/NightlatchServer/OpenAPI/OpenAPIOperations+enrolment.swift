import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let enrolment = [
        OpenAPIOperation(
            route: .enrolmentCodes, name: "createEnrolmentCode",
            summary: "A code with which the user binds one device.",
            details: """
                Adds a user that the server does not know. The code is valid for ten minutes, for one user and \
                one device key. If the answer is lost, ask again: the lost code then stops working.
                """,
            caller: .backend(.enrolmentWrite), body: .json(schema: "EnrolmentCodeRequest"), answer: "EnrolmentCodeGrant"
        ),
        OpenAPIOperation(
            route: .setPassword, name: "setPassword", summary: "Sets a user's password.",
            details: """
                Adds a user that the server does not know. Idempotent. Unused enrolment codes of the user become \
                invalid, and devices stay logged in by their keys.
                """, caller: .backend(.passwordsWrite),
            body: .json(schema: "Credentials"), answer: "CredentialsResult"),
        OpenAPIOperation(
            route: .verifyPassword, name: "verifyPassword", summary: "Whether a user's password is right.",
            details: """
                A wrong password counts like one from a device: after five in a row the user must wait before \
                the next attempt. An unknown user, a wrong password and a user who must wait get the same \
                answer.
                """,
            caller: .backend(.passwordsVerify), body: .json(schema: "Credentials"), answer: "CredentialsResult",
            refusals: [.credentialsRefused]),
        OpenAPIOperation(
            route: .enrolByPassword, name: "createEnrolmentCodeByPassword",
            summary: "An enrolment code for a user name and a password.",
            details: """
                For a device whose user has entered name and password. A wrong password, an unknown user and a \
                user who must wait get the same answer.
                """,
            body: .json(schema: "Credentials"), answer: "EnrolmentCodeGrant", refusals: [.credentialsRefused]),
        OpenAPIOperation(
            route: .beginBinding, name: "beginBinding", summary: "A challenge to bind a device key.",
            details: """
                The answer names the user of the code. The challenge is valid for two minutes. Nothing is \
                stored, so the request can be repeated.
                """,
            body: .json(schema: "BindingRequest"), answer: "BindingChallenge", refusals: [.enrolmentCodeRefused]),
        OpenAPIOperation(
            route: .finishBinding, name: "finishBinding", summary: "Binds the device key that signed the message.",
            details: """
                The message is a JWS with `typ` `nightlatch-binding+jwt`, signed by the new device key. With the \
                policy `one` the new device replaces the user's others for good. The same message gives the same \
                answer until its challenge expires, and so does a new ceremony with the same code and key for a \
                day.
                """,
            body: .json(schema: "BindingAnswer"), answer: "BindingResult",
            refusals: challengeRefusals + [.enrolmentCodeRefused, .deviceKeyTaken, .tooManyDevices]),
    ]

    static let login = [
        OpenAPIOperation(
            route: .beginLogin, name: "beginLogin",
            summary: "A challenge for a login, also for an unknown user.",
            details: """
                The answer is the same whether or not user and device exist. Send `device` only if the device \
                knows its id. The login is finished by `token`.
                """,
            body: .json(schema: "LoginRequest"), answer: "CeremonyChallenge", nonce: .onSuccess),
        OpenAPIOperation(
            route: .token, name: "token",
            summary: "Tokens for a signed login (RFC 7523) or a refresh token (RFC 6749).",
            details: """
                A login sends the message that the device key signed, and the handle of `beginLogin`; its \
                challenge gives tokens once. A refresh sends the newest refresh token, and gets a successor of \
                it. If that answer is lost, send the old token again. The proof is by the device's possession \
                key. Access tokens are valid for five minutes, refresh tokens for thirty days after the last use \
                of their login.
                """,
            caller: .provedDevice, body: .form(schema: "TokenRequest"), answer: "TokenGrant", isOAuth: true,
            nonce: .always, refusals: challengeRefusals + [.refreshTokenRefused, .pinNotEnrolled, .localPinRefused],
            words: [OAuthError(.unsupportedGrantType, code: .malformedRequest, description: nil)]),
        OpenAPIOperation(
            route: .revokeToken, name: "revokeToken", summary: "Ends the login that issued a token (RFC 7009).",
            details: """
                Ends the login with all its tokens. Any other token is invalid already and gets the same answer.
                """,
            caller: .provedDevice, body: .form(schema: "PresentedToken"), answer: nil, isOAuth: true, nonce: .always),
        OpenAPIOperation(
            route: .introspectToken, name: "introspectToken", summary: "Whether a token is valid now (RFC 7662).",
            details: """
                For a token that is not valid the answer is only `{"active": false}`. The caller must also \
                check that the sender of a valid token has proved the key in `cnf`.
                """,
            caller: .backend(.tokensRead), body: .form(schema: "PresentedToken"), answer: "TokenIntrospection",
            isOAuth: true),
    ]
}
