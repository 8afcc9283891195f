import Foundation
import NightlatchWire
import Testing

@Suite("Problems")
struct ProblemTests {
    @Test("A problem has exactly the members of RFC 9457 and the code")
    func problem() throws {
        try expectSame(
            Problem(.challengeUsed, status: 409, title: "The challenge has served."),
            """
            {"code":"challenge_used","status":409,"title":"The challenge has served.",\
            "type":"urn:nightlatch:problem:challenge_used"}
            """)
        #expect(Problem.contentType == "application/problem+json")
    }

    @Test("A problem has a detail if there is one")
    func detail() throws {
        try expectSame(
            Problem(.malformedRequest, status: 400, title: "x", detail: "user is missing."),
            """
            {"code":"malformed_request","detail":"user is missing.","status":400,"title":"x",\
            "type":"urn:nightlatch:problem:malformed_request"}
            """)
    }

    @Test("A problem is the relying party's if its type is that of its code")
    func origin() throws {
        func isOurs(_ type: String) throws -> Bool {
            let text = #"{"code":"device_revoked","status":401,"title":"x","type":""# + type + #""}"#
            return try StrictJSON.decode(Problem.self, from: Data(text.utf8)).isOfRelyingParty
        }
        #expect(try isOurs("urn:nightlatch:problem:device_revoked"))
        for type in [
            "about:blank", "", "urn:nightlatch:problem:", "urn:nightlatch:problem:not_found",
            "https://gateway.example/revoked",
        ] {
            #expect(try !isOurs(type), "\(type)")
        }
    }

    @Test("An OAuth error has exactly the members of RFC 6749 and the code")
    func oauthError() throws {
        try expectSame(
            OAuthError(.invalidGrant, code: .deviceRevoked, description: "Revoked."),
            #"{"code":"device_revoked","error":"invalid_grant","error_description":"Revoked."}"#)
        try expectSame(
            OAuthError(.invalidDPoPProof, code: .dpopProofRefused, description: "x"),
            #"{"code":"dpop_proof_refused","error":"invalid_dpop_proof","error_description":"x"}"#)
    }

    @Test("An unknown code is kept")
    func unknownCode() throws {
        let later = ProblemCode(rawValue: "phase_of_the_moon")
        #expect(!ProblemCode.all.contains(later))
        try expectSame(
            Problem(later, status: 403, title: "x"),
            #"{"code":"phase_of_the_moon","status":403,"title":"x","type":"urn:nightlatch:problem:phase_of_the_moon"}"#)
        try expectSame(
            OAuthError(.invalidGrant, code: later, description: "x"),
            #"{"code":"phase_of_the_moon","error":"invalid_grant","error_description":"x"}"#)
    }

    @Test("An unknown OAuth word is kept, and the description is optional")
    func unknownWord() throws {
        try expectSame(
            OAuthError(OAuthError.Word(rawValue: "slow_down"), code: .unavailable, description: "x"),
            #"{"code":"unavailable","error":"slow_down","error_description":"x"}"#)
        try expectSame(
            OAuthError(.invalidGrant, code: .messageRefused, description: nil),
            #"{"code":"message_refused","error":"invalid_grant"}"#)
    }

    @Test(
        "An OAuth error without a valid code and word is refused",
        arguments: [
            #"{"error":"invalid_grant"}"#, #"{"code":"message_refused"}"#, #"{"code":1,"error":"invalid_grant"}"#,
            #"{"code":"message_refused","error":null}"#, #"{"code":"message_refused","error":["invalid_grant"]}"#,
            #"{"code":"message_refused","error":"invalid_grant","error_description":1}"#,
        ])
    func malformedOAuthError(document: String) {
        #expect {
            try StrictJSON.decode(OAuthError.self, from: Data(document.utf8))
        } throws: { error in
            if case .unexpectedShape = error as? StrictJSONError { true } else { false }
        }
    }

    @Test("Problem codes never change and are listed once")
    func codes() {
        let words = [
            "malformed_request", "not_found", "method_not_allowed", "unsupported_media_type", "body_too_large",
            "backend_key_refused", "enrolment_code_refused",
            "credentials_refused", "challenge_refused", "challenge_expired", "challenge_used", "message_refused",
            "device_key_taken",
            "too_many_devices", "device_revoked", "device_replaced", "device_blocked", "blocked_by_operator",
            "access_token_refused", "refresh_token_refused", "dpop_proof_refused", "dpop_nonce_required",
            "rate_limited",
            "transaction_id_taken", "addressee_unknown", "too_many_transactions", "expiry_refused", "app_changed",
            "too_many_apps",
            "api_key_scope_missing", "api_key_name_taken", "too_many_api_keys", "device_ended", "policy_changed",
            "transaction_changed",
            "transaction_confirmed", "transaction_rejected", "transaction_expired", "transaction_voided",
            "remote_login_changed", "remote_login_ended",
            "message_expired",
            "blinded_element_refused", "enrolment_code_required", "pin_not_enrolled", "pin_destroyed", "pin_waiting",
            "pin_epoch_passed", "pin_window_passed", "pin_guess_unknown", "pin_candidate_open", "local_pin_refused",
            "unavailable",
            "internal_error",
        ]
        #expect(ProblemCode.all.map(\.rawValue) == words)
        #expect(Set(ProblemCode.all).count == words.count)
        #expect(words.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil })
    }
}
