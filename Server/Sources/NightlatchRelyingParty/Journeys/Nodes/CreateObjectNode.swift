import NightlatchWire

/// Creates the user with the entered name and password and the profile that the journey has collected, and
/// authenticates the client as that user.
///
/// A user that exists keeps their password: the outcome is then `FAILURE`.
struct CreateObjectNode: JourneyNodeBehaviour {
    var outcomes: [String] { ["CREATED", "FAILURE"] }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        guard let user = visit.state.username.flatMap(UserID.init), let password = visit.request.password else {
            return .outcome("FAILURE", .noCredentials)
        }
        guard let isKnown = visit.facts.knownUsers[user] else { return .need(.isKnown(user)) }
        guard !isKnown, visit.request.creation == nil else {
            visit.request.password = nil
            return .outcome("FAILURE", .userExists)
        }
        let credentials = Credentials(user: user, password: password)
        guard let stored = visit.facts.hashes[credentials] else { return .need(.hash(of: credentials)) }
        visit.request.password = nil
        let creation = NewJourneyUser(
            user: user, password: stored, profile: UserProfile(registering: visit.state.attributes))
        visit.request.creation = creation
        visit.state.prove(user)
        visit.state.generation = creation.generation
        return .outcome("CREATED")
    }
}
