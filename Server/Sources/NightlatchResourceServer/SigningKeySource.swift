public import Nightlatch
public import NightlatchPlatform
public import NightlatchWire

/// Where the keys come from that a relying party signs its access tokens with. `HTTPRelyingParty` is one.
public protocol SigningKeySource: Sendable {
    /// The keys that are published now.
    func signingKeys() async throws(RelyingPartyError) -> JWKSet
}

extension HTTPRelyingParty: SigningKeySource {}
