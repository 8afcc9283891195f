public import NightlatchRelyingParty
import NightlatchWire

extension MemoryRelyingPartyStore {
    public func importUsers(
        _ users: [ImportedUser], mode: UserImportMode, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [UserImportOutcome] {
        users.map { imported in
            let user = imported.user
            let existing = self.users[user].map { _ in
                UserImportStep.Existing(password: passwords[user]?.password, profile: profiles[user])
            }
            let step = UserImportStep(importing: imported, over: existing, mode: mode, by: actor, at: clock.now())
            if mode.isWriting { apply(step, to: user, by: actor) }
            return step.outcome
        }
    }

    private func apply(_ step: UserImportStep, to user: UserID, by actor: ActingParty) {
        if step.outcome == .created { noteUser(user) }
        if let password = step.password { passwords[user] = (password, PasswordThrottle()) }
        if let profile = step.profile { profiles[user] = profile }
        for event in step.events { append(event) }
        if step.outcome == .replaced, step.password != nil {
            deleteUnusedCodes(of: user)
            _ = endSessions(of: user, by: actor)
        }
    }
}
