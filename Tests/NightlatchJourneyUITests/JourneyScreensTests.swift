import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchJourneyUI
import NightlatchUI
import Observation
import Testing

@Suite("The default screens of journeys", .timeLimit(.minutes(5)))
@MainActor
struct JourneyScreensTests {
    private let prompt = Prompt(title: "Bank", subtitle: "Sign in", description: "Type your PIN.")

    /// Keys as a callback shows them.
    private static func keys() throws -> [UserKey] {
        let text = """
            [{"keyTag":"a","userId":"u1","username":"alice","kid":"k1","authType":"NONE","createdAt":0,"name":"Phone"},
             {"keyTag":"b","userId":"u2","username":"","kid":"k2","authType":"NONE","createdAt":0,"name":"Phone"}]
            """
        return try JSONDecoder().decode([UserKey].self, from: Data(text.utf8))
    }

    /// Returns when the condition is met.
    private static func wait(until isReached: @escaping @MainActor () -> Bool) async {
        while !isReached() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isReached()
                } onChange: {
                    // The observer is called before the change; this runs after it.
                    Task { @MainActor in continuation.resume() }
                }
            }
        }
    }

    private static func type(_ digits: String, at screens: JourneyScreens) {
        for digit in digits.compactMap(\.wholeNumberValue).compactMap({ PinDigit(rawValue: UInt8($0)) }) {
            screens.pad.press(.digit(digit))
        }
        screens.pad.press(.submit)
    }

    @Test("The pad asks for the application PIN with the server's text, and returns the typed PIN")
    func pin() async throws {
        let screens = JourneyScreens()
        let enter = try #require(screens.userInterface.enterPin)
        let answer = Task { [prompt] in await enter(prompt) }
        await Self.wait { screens.pinPrompt != nil && !screens.pad.display.keys.isEmpty }
        #expect(screens.pinPrompt == prompt)
        let screen = PinPadScreen(screens.pad.display, in: PinPadStrings.english.asking(for: prompt))
        #expect(screen.title == "Bank" && screen.detail == "Sign in\nType your PIN.")
        #expect(screen.choices.map(\.key) == [.submit, .cancel])
        Self.type("2950381", at: screens)
        guard let pin = await answer.value?.take() else {
            Issue.record("no PIN was answered")
            return
        }
        #expect(pin.isEqual(to: try Pin(digits: SecretBytes(copying: Array("2950381".utf8)))))
        #expect(screens.pinPrompt == nil)
    }

    @Test("A new PIN is asked for twice under the vault's policy, and two different PINs are refused")
    func newPin() async throws {
        let screens = JourneyScreens()
        let choose = try #require(screens.userInterface.choosePin)
        let policy = try PinPolicy(lengths: 4...4)
        let answer = Task { [prompt] in await choose(policy, prompt) }
        await Self.wait { screens.pinPrompt != nil && !screens.pad.display.keys.isEmpty }
        let screen = PinPadScreen(screens.pad.display, in: PinPadStrings.english.asking(for: prompt))
        #expect(screen.title == "Choose a PIN" && screen.detail == "Bank\nSign in\nType your PIN.")
        #expect(screen.circles?.count == 4 && screen.choices.map(\.key) == [.cancel])
        Self.type("1234", at: screens)
        #expect(screens.pad.display.message == .refused([.common(.run)]) && screens.pad.feedback?.kind == .wrong)
        Self.type("2950", at: screens)
        #expect(screens.pad.display.title == .repeatPin)
        Self.type("2951", at: screens)
        #expect(screens.pad.display.message == .mismatch && screens.pinPrompt == prompt)
        Self.type("29502950", at: screens)
        guard let pin = await answer.value?.take() else {
            Issue.record("no PIN was answered")
            return
        }
        #expect(pin.isEqual(to: try Pin(digits: SecretBytes(copying: Array("2950".utf8)))))
        #expect(screens.pinPrompt == nil)
    }

    @Test("A wrong PIN is shown, felt and spoken, together with the server's text")
    func wrongPin() async throws {
        let screens = JourneyScreens()
        let enter = try #require(screens.userInterface.enterPinAgain)
        let answer = Task { [prompt] in await enter(prompt, 3) }
        await Self.wait { screens.pinPrompt != nil && !screens.pad.display.keys.isEmpty }
        let strings = PinPadStrings.english.asking(for: prompt)
        let screen = PinPadScreen(screens.pad.display, in: strings)
        #expect(screen.title == "Bank" && screen.detail == "Sign in\nType your PIN.")
        #expect(screen.message == "Wrong PIN." && screen.triesLeft == "3 attempts left.")
        #expect(screens.pad.feedback?.kind == .wrong)
        let before = try #require(screens.pad.moment.beforeMessage)
        let said = try #require(PinPadAnnouncement(from: before, to: screens.pad.moment, in: strings))
        #expect(said.isUrgent && said.text == "Bank. Wrong PIN. 3 attempts left.")
        screens.pad.press(.cancel)
        #expect(await answer.value == nil)
    }

    @Test("Cancelling the pad or its task returns no PIN, and closes the pad", arguments: [true, false])
    func noPin(isCancelled: Bool) async throws {
        let screens = JourneyScreens()
        let enter = try #require(screens.userInterface.enterPin)
        let answer = Task { [prompt] in await enter(prompt) }
        await Self.wait { screens.pinPrompt != nil && !screens.pad.display.keys.isEmpty }
        if isCancelled { screens.pad.press(.cancel) } else { answer.cancel() }
        #expect(await answer.value == nil)
        #expect(screens.pinPrompt == nil && screens.pad.display == PinPadDisplay())
    }

    @Test("The list offers the keys, and returns the selected key")
    func key() async throws {
        let screens = JourneyScreens()
        let select = try #require(screens.userInterface.selectKey)
        let keys = try Self.keys()
        let answer = Task { [prompt] in await select(keys, prompt) }
        await Self.wait { screens.keyChoice != nil }
        #expect(screens.keyChoice?.keys == keys && screens.keyChoice?.prompt == prompt)
        #expect(keys.map(\.ownerName) == ["alice", "u2"])
        screens.select(keys[1])
        #expect(await answer.value == keys[1])
        #expect(screens.keyChoice == nil)
    }

    @Test("Cancelling the list or its task, or selecting a key that is not offered, returns no key", arguments: 0..<3)
    func noKey(way: Int) async throws {
        let screens = JourneyScreens()
        let select = try #require(screens.userInterface.selectKey)
        let keys = try Self.keys()
        let answer = Task { [prompt] in await select([keys[0]], prompt) }
        await Self.wait { screens.keyChoice != nil }
        switch way {
        case 0: screens.select(nil)
        case 1: answer.cancel()
        default: screens.select(keys[1])
        }
        #expect(await answer.value == nil)
        #expect(screens.keyChoice == nil)
    }

    /// The content that a callback shows.
    private func content(_ text: String?, claims: [(String, String)] = []) throws -> SigningContent {
        SigningContent(
            prompt: prompt, key: try Self.keys()[0], text: text,
            claims: claims.map { SigningContent.Claim(name: $0.0, value: $0.1) })
    }

    @Test("The content to sign is shown, and the user's answer is returned", arguments: 0..<3)
    func signing(way: Int) async throws {
        let screens = JourneyScreens()
        let approve = try #require(screens.userInterface.approveSigning)
        let content = try content("Pay 1 EUR", claims: [("amount", "1.00")])
        let answer = Task { await approve(content) }
        await Self.wait { screens.approval != nil }
        #expect(screens.approval?.content == content)
        #expect(content.shownText == "Pay 1 EUR" && content.shownClaims == ["amount: 1.00"])
        switch way {
        case 0: screens.sign(true)
        case 1: screens.sign(false)
        default: answer.cancel()
        }
        #expect(await answer.value == (way == 0))
        #expect(screens.approval == nil)
    }

    @Test("No character in a text hides or reorders another part of it on the screen")
    func disguise() throws {
        let text = "Pay 1\u{202E}00\u{202C} EUR\u{200B}\nto\r\u{E000}👩\u{200D}🚀"
        let content = try content(text, claims: [("a\nb", "x\u{2028}y")])
        #expect(content.shownText == "Pay 1⟨U+202E⟩00⟨U+202C⟩ EUR⟨U+200B⟩\nto⟨U+D⟩⟨U+E000⟩👩\u{200D}🚀")
        #expect(content.shownClaims == ["a⟨U+A⟩b: x⟨U+2028⟩y"])
        let unseen = try self.content("1\u{FE0F}a\u{FE0F}\u{3164}\u{34F}\u{E0101}\u{2800} ❤\u{FE0F}")
        #expect(unseen.shownText == "1⟨U+FE0F⟩a⟨U+FE0F⟩⟨U+3164⟩⟨U+34F⟩⟨U+E0101⟩⟨U+2800⟩ ❤\u{FE0F}")
        #expect(try self.content(nil).shownText == nil)
    }

    @Test("One request is shown at a time: a later request replaces a waiting one")
    func oneAtATime() async throws {
        let screens = JourneyScreens()
        let interface = screens.userInterface
        let (enter, select) = (try #require(interface.enterPin), try #require(interface.selectKey))
        let keys = try Self.keys()
        let first = Task { [prompt] in await select(keys, prompt) }
        await Self.wait { screens.keyChoice != nil }
        let second = Task { [prompt] in await enter(prompt) }
        #expect(await first.value == nil)
        await Self.wait { screens.pinPrompt != nil && !screens.pad.display.keys.isEmpty }
        #expect(screens.keyChoice == nil)
        let third = Task { [prompt] in await select(keys, prompt) }
        #expect(await second.value == nil)
        await Self.wait { screens.keyChoice != nil && screens.pinPrompt == nil }
        let content = try content("Pay 1 EUR")
        let approve = try #require(interface.approveSigning)
        let fourth = Task { await approve(content) }
        #expect(await third.value == nil)
        await Self.wait { screens.approval != nil && screens.keyChoice == nil }
        // Content that the user may be about to confirm stays.
        #expect(await approve(try self.content("Pay 1000 EUR")) == false)
        #expect(screens.approval?.content == content)
        let fifth = Task { [prompt] in await select(keys, prompt) }
        #expect(await fourth.value == false)
        await Self.wait { screens.keyChoice != nil }
        screens.select(keys[0])
        #expect(await fifth.value == keys[0])
    }

    @Test("Without the screens, the user is not asked")
    func gone() async throws {
        var screens: JourneyScreens? = JourneyScreens()
        let interface = try #require(screens?.userInterface)
        screens = nil
        #expect(await interface.enterPin?(prompt) == nil)
        #expect(await interface.approveSigning?(try content("Pay 1 EUR")) == false)
        #expect(await interface.selectKey?(try Self.keys(), prompt) == nil)
    }
}
