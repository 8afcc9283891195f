import Nightlatch
import NightlatchCommand
import NightlatchUI
import NightlatchWire
import Testing

@Suite("Text typed at a terminal before the pad appears", .serialized, .timeLimit(.minutes(5)))
struct TypingAheadTests {
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private func prompt(drawsPictures: Bool) throws -> TerminalPinPrompt {
        let capabilities = TerminalCapabilities(drawsPictures: drawsPictures, hasUnicode: true, hasColor: false)
        return try TerminalPinPrompt(capabilities: capabilities, isShuffled: false, path: terminal.path)
    }

    private static func challenge(length: Int? = nil, lastTry: PinRefusal? = nil) throws -> PinChallenge {
        PinChallenge(
            profile: Profile(id: .random(), name: try #require(ProfileName(rawValue: "Alice"))),
            purpose: .unlock(reason: "to unlock the vault"),
            attempts: .init(
                failureCount: lastTry == nil ? 0 : 1, triesLeft: lastTry == nil ? 10 : 9, lastTry: lastTry),
            pinLength: length)
    }

    private static func expect(_ answer: PinAnswer, isPin digits: String) throws {
        guard case .pin(let box) = answer, let pin = box.take() else {
            Issue.record("no PIN was given")
            return
        }
        #expect(pin.isEqual(to: try Pin(digits: SecretBytes(copying: Array(digits.utf8)))))
    }

    /// The text typed before the pad appears, the text typed afterwards, and the resulting PIN.
    private static let typing = [
        // A fast typist.
        ("29", "5038\r", "295038"), ("295038", "\r", "295038"),
        // An early Return tries no PIN: later keys can still change it.
        ("295038\r", "\u{7F}9\r", "295039"),
        // Two early PINs are discarded, and so are more digits than a PIN may have.
        ("860527\r714906\r", "295038\r", "295038"), ("8605278605278605278605278605\r", "295038\r", "295038"),
        // Early keys neither give the PIN up nor cancel the question.
        ("fy29n", "5038\r", "295038"), ("9\u{7F}29", "5038\r", "295038"), ("777\u{15}29", "5038\r", "295038"),
    ]

    @Test(
        "Early digits are entered completely or not at all, and tried only by a key pressed afterwards",
        arguments: typing.indices, [true, false])
    func beforeTheFirst(index: Int, drawsPictures: Bool) async throws {
        let (ahead, then, pin) = Self.typing[index]
        terminal.type(ahead)
        let prompt = try prompt(drawsPictures: drawsPictures)
        defer { prompt.close() }
        let challenge = try Self.challenge()
        async let answer = prompt.enterPin(challenge)
        await terminal.wait(forAnyOf: drawsPictures ? "to unlock the vault" : "PIN: ")
        terminal.type(then)
        try Self.expect(await answer, isPin: pin)
    }

    @Test(
        """
        Digits typed while a PIN is tried begin the next one, and the last digit of a known length is not tried unseen
        """)
    func whileTried() async throws {
        let prompt = try prompt(drawsPictures: true)
        defer { prompt.close() }
        let (first, second) = (
            try Self.challenge(length: 6), try Self.challenge(length: 6, lastTry: .wrong(triesLeft: 9, wait: nil))
        )
        async let wrong = prompt.enterPin(first)
        await terminal.wait(forAnyOf: "to unlock the vault")
        // Typed at once, so that it is read at once.
        terminal.type("8605272950")
        try Self.expect(await wrong, isPin: "860527")
        // The last circle is filled too. Output reaches the reader with a delay.
        await terminal.wait(forAnyOf: "●  ●  ●  ●  ●  ●")
        terminal.type("37")
        async let right = prompt.enterPin(second)
        await terminal.wait(forAnyOf: "Wrong PIN")
        terminal.type("\u{7F}8")
        try Self.expect(await right, isPin: "295038")
    }

    @Test("The lines report how many digits are already entered")
    func said() async throws {
        terminal.type("29")
        let prompt = try prompt(drawsPictures: false)
        defer { prompt.close() }
        let challenge = try Self.challenge()
        async let answer = prompt.enterPin(challenge)
        await terminal.wait(forAnyOf: "PIN: ")
        #expect(terminal.text.contains("2 digits that you typed were already entered. Control-U deletes them."))
        terminal.type("5038\r")
        try Self.expect(await answer, isPin: "295038")
    }

    @Test("A PIN begun during a wait is discarded when the wait ends during typing, until the next pause")
    func lost() throws {
        var lost = LostDigits()
        func expect(_ keys: [TerminalKey], isWaiting: Bool = false, areLost: Bool) {
            for key in keys {
                let isLost = lost.lose(key, isWaiting: isWaiting)
                #expect(isLost == areLost, "\(key)")
            }
        }
        expect([.digit(.two), .enter], areLost: false)
        expect([.digit(.two)], isWaiting: true, areLost: true)
        // The wait is over, and the person continues to type.
        expect([.digit(.nine), .enter], areLost: true)
        expect([.cancel, .delete, .letter(0x66), .suspend], areLost: false)
        lost.pause()
        expect([.digit(.two), .enter], areLost: false)
        lost.begin()
        expect([.digit(.two)], areLost: true)
    }
}
