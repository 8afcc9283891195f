import Nightlatch

/// The user's input.
extension PinPad {
    mutating func press(_ key: PinPadKey) -> [PinPadEffect] {
        guard keys.contains(key) else {
            if case .busy(.enterPin, typedCount: _) = stage { return typeAhead(key) }
            return []
        }
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
            // The message was about the last PIN. Now the pad asks another question.
            message = nil
            stage = .confirmingForgotten(challenge)
            return [.feel(.key)]
        case .giveUp: return answer(.forgotten)
        }
    }

    /// Keeps a digit for the next question, or deletes the last one. Other keys are ignored.
    mutating func typeAhead(_ key: PinPadKey) -> [PinPadEffect] {
        switch key {
        case .digit(let digit): if ahead.count <= Pin.lengths.upperBound { ahead.append(digit) }
        case .delete: if ahead.count > 0 { ahead.removeLast() }
        case .submit, .biometrics, .cancel, .forgotten, .giveUp: break
        }
        return []
    }

    /// Enters the digits that were typed ahead. Discards them if there are more than the PIN has, or during a wait.
    mutating func take(_ early: consuming TypedDigits) {
        guard wait == nil, let lengths = stage.lengths, early.count <= lengths.upperBound else { return }
        typed = early
    }

    private mutating func cancel() -> [PinPadEffect] {
        if case .confirmingForgotten(let challenge) = stage {
            stage = .entering(challenge)
            return [.feel(.key)]
        }
        return withdraw()
    }

    private mutating func answer(_ answer: PinAnswer, typedCount: Int = 0) -> [PinPadEffect] {
        start(.busy(stage.title, typedCount: typedCount), order)
        return [.answer(answer)]
    }

    private mutating func submit() -> [PinPadEffect] {
        let typedCount = typed.count
        guard let pin = typed.take() else { return [] }
        switch stage {
        case .entering, .collecting: return answer(.pin(PinBox(pin)), typedCount: typedCount)
        case .choosing(let purpose, let rules):
            let objections = rules.objections(to: pin)
            guard objections.isEmpty else {
                message = .refused(objections)
                return [.feel(.wrong)]
            }
            message = nil
            first = consume pin
            stage = .repeating(purpose, rules)
            return []
        case .repeating(let purpose, let rules):
            guard let first = first.take(), pin.isEqual(to: first) else {
                stage = .choosing(purpose, rules)
                message = .mismatch
                return [.feel(.wrong)]
            }
            start(.busy(stage.title, typedCount: typedCount), order)
            return [.answerNew(.pin(PinBox(pin)))]
        case .idle, .confirmingForgotten, .busy, .ended: return []
        }
    }
}
