import Foundation
import NightlatchJourney

// Structure of the vendor's profile screen.

func showProfile(_ journey: Journey, cached: Bool) async -> [String] {
    guard let result = await journey.journeyUser()?.userinfo(cache: cached) else { return [] }
    switch result {
    case .success(let userInfo):
        let profile: UserInfo = userInfo
        var lines: [String] = []
        profile.forEach { key, value in
            lines.append("\(key): \(value)")
        }
        return lines.sorted()
    case .failure(let error):
        return [error.errorMessage]
    }
}
