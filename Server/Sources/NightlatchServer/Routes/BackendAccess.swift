import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// Lets the app's backend in, which brings its key as a bearer token
/// ([RFC 6750, section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
///
/// Who has not the key counts against the limit of their address. Who has may ask as often as they like, save at routes that are under
/// that limit for all.
struct BackendAccess {
    let key: BackendKey
    /// The limit of addresses, for routes that are not under it.
    let addressLimit: AddressLimit?

    func admit(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
        guard let credentials = request.credentials(scheme: "Bearer"), ConstantTime.isEqual(credentials, key.rawValue)
        else {
            try addressLimit?.enter(request, context)
            throw .backendKeyRefused
        }
    }
}
