import Foundation
import NightlatchJourney

// Structure of the vendor's start and logout screens.

func sessionToken(_ journey: Journey) async -> String {
    let session: SSOToken? = await journey.session()
    let user: User? = await journey.journeyUser()
    guard user != nil, let session else { return "" }
    print(session.successUrl, session.realm)
    return await journey.journeyUser()?.session?.value ?? ""
}

func logOut(_ journey: Journey) async {
    await journey.journeyUser()?.logout()
}

func forget(_ journey: Journey) async -> Bool {
    await journey.deleteSession()
    let result = await journey.journeySignOff()
    if case .success = result { return true }
    return false
}
