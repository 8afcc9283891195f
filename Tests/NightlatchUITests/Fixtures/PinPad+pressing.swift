import Nightlatch
import NightlatchUI
import Testing

extension PinPad {
    /// Presses the keys of `digits`, one after the other.
    mutating func type(_ digits: String) throws -> [PinPadEffect] {
        var effects: [PinPadEffect] = []
        for character in digits {
            let value = try #require(character.wholeNumberValue)
            effects += handle(.press(.digit(try #require(PinDigit(rawValue: UInt8(value))))))
        }
        return effects
    }
}

extension [PinPadEffect] {
    /// The effects in words, without their values.
    var words: [String] {
        map { effect in
            switch effect {
            case .answer(.pin): "answer pin"
            case .answer(.cancelled): "answer cancelled"
            case .answer(.forgotten): "answer forgotten"
            case .answer(.biometrics): "answer biometrics"
            case .answerNew(.pin): "answer new pin"
            case .answerNew(.cancelled): "answer new cancelled"
            case .feel(let feedback): "feel \(feedback)"
            }
        }
    }

    /// The words without the touch of each key.
    var telling: [String] { words.filter { $0 != "feel key" } }

    /// Whether the effects contain exactly one PIN, with these digits.
    func holdPin(_ digits: String) throws -> Bool {
        let boxes = compactMap { effect -> PinBox? in
            switch effect {
            case .answer(.pin(let box)), .answerNew(.pin(let box)): box
            default: nil
            }
        }
        guard boxes.count == 1, let pin = boxes[0].take() else { return false }
        return pin.isEqual(to: try Pin(digits: SecretBytes(copying: [UInt8](digits.utf8))))
    }
}
