import Hummingbird
import NightlatchWire

/// Lets the app's backend in, which brings its key as a bearer token
/// ([RFC 6750, section 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
struct BackendAccess {
    let key: BackendKey

    func admit(_ request: Request) throws(Refusal) {
        guard let credentials = request.credentials(scheme: "Bearer"), ConstantTime.isEqual(credentials, key.rawValue)
        else { throw .backendKeyRefused }
    }
}
