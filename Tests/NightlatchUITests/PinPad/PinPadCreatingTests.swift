import Nightlatch
import NightlatchUI
import Testing

@Suite("The pad for a new PIN")
struct PinPadCreatingTests {
    private func pad(_ challenge: CreatePinChallenge) -> PinPad {
        var pad = PinPad()
        _ = pad.handle(.askNew(challenge, .telephone))
        return pad
    }

    @Test("A PIN is typed twice and answered once")
    func same() throws {
        var pad = pad(try TestChallenge.create())
        #expect(pad.display.title == .choosePin(.registration) && pad.display.digitCount == 6)
        #expect(try pad.type("295038").telling.isEmpty)
        #expect(pad.display.title == .repeatPin && pad.display.typedCount == 0)
        let effects = try pad.type("295038")
        #expect(effects.telling == ["answer new pin"])
        #expect(try effects.holdPin("295038"))
        #expect(pad.display.isBusy)
    }

    @Test("Two different PINs are reported, and both are typed again")
    func mismatch() throws {
        var pad = pad(try TestChallenge.create())
        _ = try pad.type("295038")
        #expect(try pad.type("295039").telling == ["feel wrong"])
        #expect(pad.display.title == .choosePin(.registration) && pad.display.message == .mismatch)
        _ = try pad.type("741906")
        #expect(pad.display.message == nil)
        #expect(try pad.type("741906").holdPin("741906"))
    }

    @Test("A PIN that the policy forbids is refused the first time, with every reason")
    func refused() throws {
        var pad = pad(try TestChallenge.create())
        #expect(try pad.type("123123").telling == ["feel wrong"])
        #expect(pad.display.title == .choosePin(.registration))
        #expect(pad.display.message == .refused([.common(.pattern), .common(.date)]))
    }

    @Test("The current PIN is refused the first time, until the library has wiped it")
    func current() throws {
        let current = PinBox(try Pin(digits: SecretBytes(copying: Array("295038".utf8))))
        var pad = pad(try TestChallenge.create(current: current))
        #expect(try pad.type("295038").telling == ["feel wrong"])
        #expect(pad.display.title == .choosePin(.registration))
        #expect(pad.display.message == .refused([.sameAsCurrent]))
        _ = current.take()
        #expect(try pad.type("295038").telling.isEmpty && pad.display.title == .repeatPin)
    }

    @Test("The library's objections are shown when it asks again")
    func objections() throws {
        var pad = PinPad()
        let challenge = try TestChallenge.create(objections: [.common(.date), .common(.year)])
        #expect(pad.handle(.askNew(challenge, .telephone)).words == ["feel wrong"])
        #expect(pad.display.message == .refused([.common(.date), .common(.year)]))
    }

    @Test("If a policy allows several lengths, the user completes the PIN")
    func severalLengths() throws {
        var pad = pad(try TestChallenge.create(lengths: 5...8))
        _ = try pad.type("2950")
        #expect(!pad.display.keys.contains(.submit))
        _ = try pad.type("3816")
        #expect(try pad.type("7").isEmpty)
        _ = pad.handle(.press(.submit))
        #expect(pad.display.title == .repeatPin)
        _ = try pad.type("29503816")
        #expect(try pad.handle(.press(.submit)).holdPin("29503816"))
    }

    @Test("A new PIN without a profile is also asked for twice, under its policy")
    func collected() throws {
        var pad = PinPad()
        _ = pad.handle(.collectNew(try PinPolicy(lengths: 4...4), .telephone))
        #expect(pad.display.title == .choosePin(.registration) && pad.display.digitCount == 4)
        #expect(try pad.type("1234").telling == ["feel wrong"])
        #expect(pad.display.message == .refused([.common(.run)]))
        #expect(try pad.type("2950").telling.isEmpty && pad.display.title == .repeatPin)
        #expect(try pad.type("2951").telling == ["feel wrong"] && pad.display.message == .mismatch)
        _ = try pad.type("2950")
        #expect(try pad.type("2950").holdPin("2950"))
    }

    @Test("Clearing removes both typed PINs, and the PIN is typed again from the start")
    func clearing() throws {
        var pad = pad(try TestChallenge.create())
        _ = try pad.type("295038295")
        #expect(pad.handle(.clear).isEmpty)
        #expect(pad.display.title == .choosePin(.registration) && pad.display.typedCount == 0)
        // The first PIN is not kept for a comparison.
        #expect(try pad.type("741906741906").holdPin("741906"))
    }

    @Test("Cancelling changes nothing, also between the two entries", arguments: [0, 3, 6, 9])
    func cancel(typedCount: Int) throws {
        var pad = pad(try TestChallenge.create())
        _ = try pad.type(String("295038295038".prefix(typedCount)))
        #expect(!pad.display.offeredKeys.contains(.forgotten) && !pad.display.offeredKeys.contains(.biometrics))
        #expect(pad.handle(.press(.cancel)).words == ["answer new cancelled"])
        #expect(pad.display == PinPadDisplay())
    }
}
