import Nightlatch

/// A prompt whose questions for a new PIN a test sees first.
struct ObservedPrompt: PinPrompt {
    private let base: any PinPrompt
    private let observe: @Sendable (CreatePinChallenge) async -> Void

    init(_ base: any PinPrompt, _ observe: @escaping @Sendable (CreatePinChallenge) async -> Void) {
        self.base = base
        self.observe = observe
    }

    func enterPin(_ challenge: PinChallenge) async -> PinAnswer { await base.enterPin(challenge) }

    func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
        await observe(challenge)
        return await base.createPin(challenge)
    }
}

extension CreatePinChallenge {
    /// The reasons to refuse these digits; nil if they are no PIN.
    func objections(to digits: String) -> [PinObjection]? {
        do {
            return objections(to: try Pin(digits))
        } catch {
            return nil
        }
    }
}
