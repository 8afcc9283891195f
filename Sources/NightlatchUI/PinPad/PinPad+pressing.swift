import Nightlatch

/// What the person does.
extension PinPad {
    mutating func press(_ key: PinPadKey) -> [PinPadEffect] {
        guard keys.contains(key) else { return [] }
        switch key {
        case .digit(let digit):
            typed.append(digit)
            return [.feel(.key)] + (typed.count == stage.digitCount ? submit() : [])
        case .delete:
            typed.removeLast()
            return [.feel(.key)]
        case .submit: return submit()
        case .biometrics: return answer(.biometrics)
        case .cancel: return cancel()
        case .forgotten:
            guard case .entering(let challenge) = stage else { return [] }
            typed.removeAll()
            // It was about the last PIN, and the question is another.
            message = nil
            stage = .confirmingForgotten(challenge)
            return [.feel(.key)]
        case .giveUp: return answer(.forgotten)
        }
    }

    private mutating func cancel() -> [PinPadEffect] {
        if case .confirmingForgotten(let challenge) = stage {
            stage = .entering(challenge)
            return [.feel(.key)]
        }
        return withdraw()
    }

    private mutating func answer(_ answer: PinAnswer) -> [PinPadEffect] {
        start(.busy(stage.title), order)
        return [.answer(answer)]
    }

    private mutating func submit() -> [PinPadEffect] {
        guard let pin = typed.take() else { return [] }
        switch stage {
        case .entering, .collecting: return answer(.pin(PinBox(pin)))
        case .choosing(let purpose, let policy):
            let objections = policy.objections(to: pin)
            guard objections.isEmpty else {
                message = .refused(objections)
                return [.feel(.wrong)]
            }
            message = nil
            first = consume pin
            stage = .repeating(purpose, policy)
            return []
        case .repeating(let purpose, let policy):
            guard let first = first.take(), pin.isEqual(to: first) else {
                stage = .choosing(purpose, policy)
                message = .mismatch
                return [.feel(.wrong)]
            }
            start(.busy(stage.title), order)
            return [.answerNew(.pin(PinBox(pin)))]
        case .idle, .confirmingForgotten, .busy, .ended: return []
        }
    }
}
