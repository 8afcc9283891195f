public import Nightlatch
public import NightlatchPlatform
public import NightlatchWire

/// A source of the keys with which a relying party signs its access tokens, such as `HTTPRelyingParty`.
public protocol SigningKeySource: Sendable {
    /// Returns the keys that are published now.
    func signingKeys() async throws(RelyingPartyError) -> JWKSet
}

extension HTTPRelyingParty: SigningKeySource {}
