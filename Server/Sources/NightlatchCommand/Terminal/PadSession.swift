import Foundation
import Nightlatch
import NightlatchUI

/// A pad at a terminal: decodes keys to events, passes them to the state machine, and shows the result.
struct PadSession: ~Copyable {
    /// The sequences that enter and leave the pad's screen (xterm's private modes 1049, 25 and 2004).
    ///
    /// Entering switches to the alternate screen, hides the cursor, and makes the terminal mark pasted text, so that
    /// the decoder can tell it from typed text. Leaving undoes this. It first erases the pad, for terminals with only
    /// one screen. It erases in parts, because some terminals, such as tmux, save a screen that is erased as a whole.
    static let (arriving, leaving) = (
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h",
        "\u{1B}[H\u{1B}[2K\u{1B}[2H\u{1B}[J\u{1B}[H\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    )

    private let terminal: PadTerminal
    private let capabilities: TerminalCapabilities
    private let isShuffled: Bool
    private var pad = PinPad()
    private var decoder = TerminalKeyDecoder()
    private var keyboard = PadKeyboard()
    private var drawn: PadPicture?
    private var spoken: PinPadDisplay?
    /// The number of consecutive waits without input.
    private var idleWaits = 0
    private var lostDigits = LostDigits()
    /// Input since the last answer: whether it had a digit, a Return, and a digit after a Return.
    private var ahead = (hasDigit: false, isComplete: false, isAnother: false)

    init(_ terminal: PadTerminal, _ capabilities: TerminalCapabilities, isShuffled: Bool) {
        self.terminal = terminal
        self.capabilities = capabilities
        self.isShuffled = isShuffled
    }

    mutating func enterPin(_ challenge: PinChallenge, until isWithdrawn: () -> Bool) -> PinAnswer {
        for effect in run(.ask(challenge, newOrder()), until: isWithdrawn) {
            if case .answer(let answer) = effect { return answer }
        }
        return .cancelled
    }

    mutating func createPin(_ challenge: CreatePinChallenge, until isWithdrawn: () -> Bool) -> CreatePinAnswer {
        for effect in run(.askNew(challenge, newOrder()), until: isWithdrawn) {
            if case .answerNew(let answer) = effect { return answer }
        }
        return .cancelled
    }

    /// Shows the question and handles input until the pad answers.
    private mutating func run(_ question: PinPadEvent, until isWithdrawn: () -> Bool) -> [PinPadEffect] {
        terminal.takeAllKeys(true)
        defer { terminal.takeAllKeys(false) }
        (decoder, keyboard, spoken, lostDigits) = (TerminalKeyDecoder(), PadKeyboard(), nil, LostDigits())
        // Digits that were typed before the question for a new PIN do not belong to that PIN.
        if typeAhead(), case .askNew = question { lostDigits.begin() }
        var effects = pad.handle(question)
        var last = ContinuousClock.now
        // Ends: with an answer. `isWithdrawn` causes one at any time.
        while true {
            show(saysAnew: effects.contains { if case .feel(.wrong) = $0 { true } else { false } })
            guard !effects.contains(where: \.isAnswer) else { return effects }
            effects = isWithdrawn() ? pad.handle(.withdraw) : nextEffects()
            let now = ContinuousClock.now
            effects += pad.handle(.pass(now - last))
            last = now
        }
    }

    /// Waits for keys for at most a tenth of a second, and handles them.
    private mutating func nextEffects() -> [PinPadEffect] {
        do {
            if try terminal.silence() { return loseWhatWasTyped() }
        } catch {
            return pad.handle(.withdraw)
        }
        switch terminal.read() {
        case .gone: return pad.handle(.withdraw)
        case .nothing:
            idleWaits += 1
            if idleWaits >= 5 {
                decoder.pause()
                lostDigits.pause()
            }
            return []
        case .bytes(let bytes):
            idleWaits = 0
            var effects: [PinPadEffect] = []
            for index in 0..<bytes.byteCount {
                let byte = unsafe bytes.withUnsafeBytes { unsafe $0[index] }
                guard let key = decoder.take(byte) else { continue }
                if effects.contains(where: \.isAnswer) { typeAhead(key) } else { effects += self.effects(of: key) }
            }
            return effects
        }
    }

    /// Handles a key that was typed before the next question was drawn. Only digits and deletions have an effect:
    /// before a question is shown, the user can neither submit a PIN nor cancel.
    private mutating func typeAhead(_ key: TerminalKey) {
        switch key {
        case .digit(let digit):
            ahead.hasDigit = true
            ahead.isAnother = ahead.isAnother || ahead.isComplete
            _ = pad.handle(.typeAhead(.digit(digit)))
        case .delete: _ = pad.handle(.typeAhead(.delete))
        case .deleteAll: _ = pad.handle(.clear)
        case .enter: ahead.isComplete = true
        case .letter, .up, .down, .left, .right, .cancel, .suspend, .redraw: break
        }
    }

    /// Handles the input since the last answer. If digits follow a Return, they begin another PIN, so all digits are
    /// discarded.
    ///
    /// - Returns: Whether a digit was typed.
    private mutating func typeAhead() -> Bool {
        while let bytes = terminal.readNow() {
            for index in 0..<bytes.byteCount {
                let byte = unsafe bytes.withUnsafeBytes { unsafe $0[index] }
                if let key = decoder.take(byte) { typeAhead(key) }
            }
        }
        defer { ahead = (false, false, false) }
        if ahead.isAnother { _ = pad.handle(.clear) }
        return ahead.hasDigit
    }

    /// Discards input that was typed while another program had the terminal. It may be meant for that program. It may
    /// also be the first part of a PIN, so the rest of that PIN is discarded, too.
    private mutating func loseWhatWasTyped() -> [PinPadEffect] {
        idleWaits = 0
        while terminal.readNow() != nil { lostDigits.begin() }
        return []
    }

    private mutating func effects(of key: TerminalKey) -> [PinPadEffect] {
        guard !lostDigits.lose(key, isWaiting: pad.display.countdown != nil) else { return [] }
        switch keyboard.act(on: key, at: pad.display) {
        case .press(let keys):
            // No PIN may be typed while the window does not show everything that the user must see.
            guard drawn?.isComplete ?? true else { return [] }
            var effects: [PinPadEffect] = []
            for key in keys { effects += pad.handle(.press(key)) }
            return effects
        case .withdraw: return pad.handle(.withdraw)
        case .suspend:
            // Stops all processes in the foreground, as the terminal does for that key.
            kill(0, SIGTSTP)
            return []
        case .draw:
            drawn = nil
            return []
        }
    }

    private func newOrder() -> PinPadOrder {
        var generator = SystemRandomNumberGenerator()
        return isShuffled ? .shuffled(using: &generator) : .telephone
    }

    // MARK: The screen

    private mutating func show(saysAnew: Bool) {
        if capabilities.drawsPictures { draw() } else { speak(anew: saysAnew) }
    }

    private mutating func draw() {
        if terminal.takeStaleness() { drawn = nil }
        let size = terminal.size
        let picture = PadPicture(pad.display, focus: keyboard.focus, size: size, capabilities: capabilities)
        guard picture != drawn else { return }
        drawn = picture
        let lines = picture.lines.map { line in
            "\u{1B}[2K" + line.map { $0.encoded(inColor: capabilities.hasColor) }.joined()
        }
        let rest = lines.count < size.rows ? "\r\n\u{1B}[J" : ""
        terminal.show("\u{1B}[H" + lines.joined(separator: "\r\n") + rest)
    }

    private mutating func speak(anew: Bool) {
        let display = pad.display
        let isStale = terminal.takeStaleness()
        guard anew || isStale || spoken.map({ !PadSpeech.isSame($0, as: display) }) ?? true else { return }
        let speech = PadSpeech(display)
        // The cursor is still behind the last question, on the same line.
        let before = spoken.flatMap { PadSpeech($0).question } == nil ? "" : "\n"
        spoken = display
        let sentences = speech.sentences + [PadSpeech.typedAhead(display)].compactMap(\.self)
        terminal.show(before + sentences.map { $0 + "\n" }.joined() + (speech.question ?? ""))
    }
}

extension PinPadEffect {
    fileprivate var isAnswer: Bool {
        switch self {
        case .answer, .answerNew: true
        case .feel: false
        }
    }
}
