import Foundation
import NightlatchWire

/// A request with a DPoP proof by a possession key.
struct ProvedRequest: Sendable {
    let key: any DeviceKey
    let relyingParty: any RelyingParty
    let method: Route.Method
    let path: String
    var accessToken: AccessToken?

    /// Sends the request with a proof that carries the newest nonce.
    ///
    /// If the relying party requires another nonce, it has not carried out the request, and its answer contains that
    /// nonce. Then this sends the request once more.
    func send<Answer>(
        _ request: (_ proof: String) async throws(RelyingPartyError) -> Answer
    ) async throws(SessionError) -> Answer {
        do {
            return try await sendOnce(request)
        } catch {
            guard case .relyingParty(.refused(let refusal)) = error, refusal.isDecision,
                refusal.code == .dpopNonceRequired
            else { throw error }
        }
        return try await sendOnce(request)
    }

    private func sendOnce<Answer>(
        _ request: (_ proof: String) async throws(RelyingPartyError) -> Answer
    ) async throws(SessionError) -> Answer {
        let claims = DPoPClaims(
            method: method.rawValue, url: relyingParty.issuer.rawValue + path, issuedAt: NumericDate(Date()),
            accessTokenHash: accessToken.map(AccessTokenHash.init(of:)), nonce: await relyingParty.newestNonce)
        let proof: String
        do {
            proof = try await key.sign(claims, carryingKey: true)
        } catch {
            throw .key(error)
        }
        do {
            return try await request(proof)
        } catch {
            throw .relyingParty(error)
        }
    }
}
