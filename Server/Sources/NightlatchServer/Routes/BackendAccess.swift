import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// Admits the app's backend, which sends its key as a bearer token
/// ([RFC 6750, section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
///
/// A request without the right key counts against the limit of its address. A request with the right key does not
/// count, except at routes where that limit applies to every request.
struct BackendAccess {
    let key: BackendKey
    /// The address limit for requests without the key; nil for routes to which that limit already applies.
    let addressLimit: AddressLimit?

    func admit(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        guard let credentials = request.credentials(scheme: "Bearer"), ConstantTime.isEqual(credentials, key.rawValue)
        else {
            try addressLimit?.enter(request, context)
            throw .backendKeyRefused
        }
    }
}
