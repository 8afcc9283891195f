import Foundation
import NightlatchJourney

// Structure of the vendor's token screen.

@MainActor
final class AccessTokenViewModel {
    var token = ""
    var lifetime: Int64 = 0

    func accessToken(_ journey: Journey) async {
        let token: Result<Token, OidcError>
        if let user = await journey.journeyUser() {
            token = await user.token()
        } else {
            self.token = "no user"
            return
        }
        switch token {
        case .success(let accessToken):
            self.token = accessToken.accessToken
            lifetime = accessToken.expiresIn
            print(accessToken.tokenType ?? "", accessToken.scope ?? "", accessToken.refreshToken ?? "", accessToken)
            print(accessToken.idToken ?? "", accessToken.expiresAt, accessToken.isExpired)
        case .failure(let error):
            self.token = kind(of: error)
            print(error.errorMessage, error.localizedDescription)
        }
    }

    func refresh(_ journey: Journey) async {
        if case .success(let newToken)? = await journey.journeyUser()?.refresh() {
            token = newToken.accessToken
        }
    }

    func revoke(_ journey: Journey) async {
        await journey.journeyUser()?.revoke()
    }
}

func kind(of error: OidcError) -> String {
    switch error {
    case .authorizeError(let cause, let message): return "authorize \(message ?? cause?.localizedDescription ?? "")"
    case .networkError: return "network"
    case .apiError(let code, let message): return "api \(code) \(message)"
    case .unknown(cause: _, message: let message): return "unknown \(message ?? "")"
    }
}
