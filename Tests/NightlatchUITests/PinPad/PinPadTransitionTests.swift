import Nightlatch
import NightlatchUI
import Testing

/// The complete table of the pad: each stage with each event.
@Suite("Transitions of the pad")
struct PinPadTransitionTests {
    enum Stage: String, CaseIterable {
        case idle, entering, typing, waiting, unknownLength, collecting, reallyForgotten, choosing, repeating, busy,
            ended

        /// A pad in this stage.
        func pad() throws -> PinPad {
            var pad = PinPad()
            switch self {
            case .idle: break
            case .entering: _ = pad.handle(.ask(try TestChallenge.enter(length: 4, offersBiometrics: true), .telephone))
            case .typing:
                _ = pad.handle(.ask(try TestChallenge.enter(length: 4), .telephone))
                _ = try pad.type("295")
            case .waiting: _ = pad.handle(.ask(try TestChallenge.enter(length: 4, wait: .seconds(30)), .telephone))
            case .unknownLength:
                _ = pad.handle(.ask(try TestChallenge.enter(length: nil), .telephone))
                _ = try pad.type("2950")
            case .collecting:
                _ = pad.handle(.collect(reason: "Sign in", after: nil, .telephone))
                _ = try pad.type("2950")
            case .reallyForgotten:
                _ = pad.handle(.ask(try TestChallenge.enter(length: 4), .telephone))
                _ = pad.handle(.press(.forgotten))
            case .choosing: _ = pad.handle(.askNew(try TestChallenge.create(lengths: 4...4), .telephone))
            case .repeating:
                _ = pad.handle(.askNew(try TestChallenge.create(lengths: 4...4), .telephone))
                _ = try pad.type("2950")
            case .busy:
                _ = pad.handle(.ask(try TestChallenge.enter(length: 4), .telephone))
                _ = try pad.type("2950")
            case .ended: _ = pad.handle(.end(.unlocked))
            }
            return pad
        }
    }

    enum Happening: String, CaseIterable {
        case digit, delete, submit, biometrics, cancel, forgotten, giveUp, second, clear, withdraw, ask, askNew
        case collect, collectAgain, collectNew, unlocked, blocked

        func event() throws -> PinPadEvent {
            switch self {
            case .digit: .press(.digit(.seven))
            case .delete: .press(.delete)
            case .submit: .press(.submit)
            case .biometrics: .press(.biometrics)
            case .cancel: .press(.cancel)
            case .forgotten: .press(.forgotten)
            case .giveUp: .press(.giveUp)
            case .second: .pass(.seconds(1))
            case .withdraw: .withdraw
            case .ask: .ask(try TestChallenge.enter(length: 6), .telephone)
            case .askNew: .askNew(try TestChallenge.create(lengths: 6...6), .telephone)
            case .clear: .clear
            case .collect: .collect(reason: "Sign in", after: nil, .telephone)
            case .collectAgain: .collect(reason: "Sign in", after: .wrong(triesLeft: 2), .telephone)
            case .collectNew: .collectNew(.default, .telephone)
            case .unlocked: .end(.unlocked)
            case .blocked: .end(.blocked(.recoveryPhrase))
            }
        }
    }

    /// The result of a transition: the shown stage, the number of typed digits, and the effects.
    struct Outcome: Hashable {
        let shown: String
        let typedCount: Int
        let effects: [String]

        init(_ shown: String, _ typedCount: Int = 0, _ effects: [String] = []) {
            self.shown = shown
            self.typedCount = typedCount
            self.effects = effects
        }

        init(_ pad: borrowing PinPad, _ effects: [PinPadEffect]) {
            let display = pad.display
            let title =
                switch display.title {
                case .idle: "idle"
                case .enterPin: "enter"
                case .choosePin: "choose"
                case .repeatPin: "repeat"
                case .reallyForgotten: "really"
                case .ended(.unlocked): "unlocked"
                case .ended: "ended"
                }
            let count = display.countdown.map { " \($0.components.seconds)" } ?? ""
            self.init((display.isBusy ? "busy " : "") + title + count, display.typedCount, effects.words)
        }
    }

    /// The transitions of every stage: a new challenge, a withdrawal or an end cancels an open challenge.
    static func everywhere(_ cancelling: [String]) -> [Happening: Outcome] {
        [
            .withdraw: Outcome("idle", 0, cancelling), .ask: Outcome("enter", 0, cancelling),
            .askNew: Outcome("choose", 0, cancelling), .collect: Outcome("enter", 0, cancelling),
            .collectAgain: Outcome("enter", 0, cancelling + ["feel wrong"]),
            .collectNew: Outcome("choose", 0, cancelling),
            .unlocked: Outcome("unlocked", 0, cancelling + ["feel success"]),
            .blocked: Outcome("ended", 0, cancelling + ["feel wrong"]),
        ]
    }

    private static let cancelled = ["answer cancelled"]
    private static let newCancelled = ["answer new cancelled"]

    /// The other transitions. An event that is not listed changes nothing.
    static let table: [Stage: [Happening: Outcome]] = [
        .idle: everywhere([]),
        .entering: everywhere(cancelled).merging([
            .digit: Outcome("enter", 1, ["feel key"]), .biometrics: Outcome("busy enter", 0, ["answer biometrics"]),
            .cancel: Outcome("idle", 0, cancelled), .forgotten: Outcome("really", 0, ["feel key"]),
        ]) { $1 },
        .typing: everywhere(cancelled).merging([
            .digit: Outcome("busy enter", 4, ["feel key", "answer pin"]), .delete: Outcome("enter", 2, ["feel key"]),
            .cancel: Outcome("idle", 0, cancelled), .forgotten: Outcome("really", 0, ["feel key"]),
            .clear: Outcome("enter"),
        ]) { $1 },
        .waiting: everywhere(cancelled).merging([
            .second: Outcome("enter 29"), .cancel: Outcome("idle", 0, cancelled),
            .forgotten: Outcome("really 30", 0, ["feel key"]),
        ]) { $1 },
        .unknownLength: everywhere(cancelled).merging([
            .digit: Outcome("enter", 5, ["feel key"]), .delete: Outcome("enter", 3, ["feel key"]),
            .submit: Outcome("busy enter", 4, ["answer pin"]), .cancel: Outcome("idle", 0, cancelled),
            .forgotten: Outcome("really", 0, ["feel key"]), .clear: Outcome("enter"),
        ]) { $1 },
        .collecting: everywhere(cancelled).merging([
            .digit: Outcome("enter", 5, ["feel key"]), .delete: Outcome("enter", 3, ["feel key"]),
            .submit: Outcome("busy enter", 4, ["answer pin"]), .cancel: Outcome("idle", 0, cancelled),
            .clear: Outcome("enter"),
        ]) { $1 },
        .reallyForgotten: everywhere(cancelled).merging([
            .cancel: Outcome("enter", 0, ["feel key"]), .giveUp: Outcome("busy really", 0, ["answer forgotten"]),
        ]) { $1 },
        .choosing: everywhere(newCancelled).merging([
            .digit: Outcome("choose", 1, ["feel key"]), .cancel: Outcome("idle", 0, newCancelled),
        ]) { $1 },
        .repeating: everywhere(newCancelled).merging([
            .digit: Outcome("repeat", 1, ["feel key"]), .cancel: Outcome("idle", 0, newCancelled),
            .clear: Outcome("choose"),
        ]) { $1 },
        .busy: everywhere([]),
        .ended: everywhere([]),
    ]

    static let transitions = Stage.allCases.flatMap { stage in Happening.allCases.map { (stage, $0) } }

    @Test("At each stage each event leads to the stage in the table", arguments: transitions)
    func transition(stage: Stage, happening: Happening) throws {
        var pad = try stage.pad()
        let stayed = Outcome(pad, [])
        let before = pad.display
        let expected = try #require(Self.table[stage])[happening]
        let effects = pad.handle(try happening.event())
        #expect(Outcome(pad, effects) == expected ?? stayed)
        if expected == nil { #expect(pad.display == before) }
    }

    @Test("At most one challenge is open at each stage, and withdrawing it answers it once", arguments: Stage.allCases)
    func withdrawnTwice(stage: Stage) throws {
        var pad = try stage.pad()
        _ = pad.handle(.withdraw)
        #expect(pad.handle(.withdraw).isEmpty && pad.display == PinPadDisplay())
    }
}
