import HTTPTypes
package import Hummingbird
package import NightlatchRelyingParty

extension AuthorizationAnswer {
    /// The answer as the app wants it: a redirect, or a page that sends a form.
    package var response: Response {
        switch target.mode {
        case .query: Response(status: .found, headers: [.location: location, .contentLength: "0"])
        case .formPost: FormPostPage(self).response
        }
    }
}
