import Crypto
import Nightlatch
import NightlatchWire

extension ScriptedRelyingParty {
    /// Signs the claims of a policy with these members.
    static func sign(
        policy json: String, revision: PolicyRevision, for user: UserID = UserID(unchecked: "alice"),
        issuer: Issuer = Issuer(unchecked: "https://rp.example/base"), audience: ClientID = .default,
        by key: P256.Signing.PrivateKey
    ) -> String {
        let payload = """
            {"aud":"\(audience.rawValue)","iat":\(now.secondsSince1970),"iss":"\(issuer.rawValue)","policy":\(json),\
            "revision":\(revision.rawValue),"sub":"\(user.rawValue)"}
            """
        let text = [#"{"alg":"ES256","typ":"nightlatch-policy+jwt"}"#, payload]
            .map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        guard let signature = try? key.signature(for: Array(text.utf8)) else { preconditionFailure("no signature") }
        return text + "." + Base64URL.encode(signature.rawRepresentation)
    }
}
