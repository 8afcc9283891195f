/// Asks the user to choose a PIN, until they choose one that the rules accept.
struct PinCreation: Sendable {
    /// The prompt answered with a box whose PIN was already taken.
    struct EmptyBox: Error {}

    let prompt: any PinPrompt
    let profile: Profile
    let purpose: CreatePinChallenge.Purpose
    let rules: NewPinRules

    /// - Returns: A PIN that the rules accept, or nil if the user or the calling task cancelled.
    func run() async throws(EmptyBox) -> Pin? {
        var objections: [PinObjection] = []
        while !Task.isCancelled {
            let challenge = CreatePinChallenge(
                profile: profile, purpose: purpose, rules: rules, objections: objections)
            switch await prompt.createPin(challenge) {
            case .cancelled: return nil
            case .pin(let box):
                guard let pin = box.take() else { throw EmptyBox() }
                objections = rules.objections(to: pin)
                if objections.isEmpty { return pin }
            }
        }
        return nil
    }
}
