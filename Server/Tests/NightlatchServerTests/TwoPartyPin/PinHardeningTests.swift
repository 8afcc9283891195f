import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The state of a two-party PIN")
struct PinHardeningTests {
    /// A generator whose walks are the same in every run.
    private struct Walk: RandomNumberGenerator {
        var state: UInt64

        // SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    /// The two players: the device with its owner's PIN, and a thief with all keys that need no PIN.
    private enum Player: CaseIterable {
        case owner, thief
    }

    @Test(
        "On any random walk a thief gets no more guesses at a key than the limit, and only a proof lowers the count",
        arguments: 0..<40)
    func walk(seed: UInt64) throws {
        var generator = Walk(state: seed)
        let device = try Self.device()
        let limit = 4
        var state = PinHardening()
        var now = TestTime.start
        var elements: [BlindedElement] = []
        var asked: Set<BlindedElement> = []
        var everLive: Set<PinEpoch> = []
        var guesses: [(id: PinGuessID, epoch: PinEpoch)] = []
        var dead: Set<PinEpoch> = []
        var ownGuesses: Set<PinGuessID> = []
        var thiefsGuesses: [PinEpoch: Set<PinGuessID>] = [:]

        for _ in 0..<600 {
            now = now + .seconds(Int.random(in: 0...30, using: &generator))
            let player = Player.allCases.randomElement(using: &generator) ?? .thief
            let before = state
            let (action, signer) = try Self.step(
                of: state, player: player, elements: &elements, guesses: guesses, own: ownGuesses, device: device,
                using: &generator)
            let step = PinStep(signer: signer, rounds: try PinSteps.round(limit), action)
            let result = state.take(step, of: device, isCodeGood: player == .owner, at: StepTime(now))

            switch result.outcome {
            case .charged(let charged):
                guard case .guess(let guess, _) = action else { throw StepFailed(outcome: "\(action)") }
                asked.insert(guess.blindedElement)
                guesses.append((charged.id, charged.key.epoch))
                // The first player to send an element owns its guess: the other never sends the same element.
                let isThiefs = thiefsGuesses[charged.key.epoch]?.contains(charged.id) ?? false
                if player == .owner, !isThiefs {
                    ownGuesses.insert(charged.id)
                } else if !ownGuesses.contains(charged.id) {
                    thiefsGuesses[charged.key.epoch, default: []].insert(charged.id)
                }
                #expect(thiefsGuesses[charged.key.epoch, default: []].count <= limit)
                #expect(charged.charged.ids.count <= limit && asked.count <= limit)
                #expect(!dead.contains(charged.key.epoch), "A key that was destroyed is never used again.")
            case .cleared(let cleared) where cleared.window == state.window && state.window != before.window:
                let isKnowledgeKey = signer == before.knowledgeKey || state.current?.epoch != before.current?.epoch
                #expect(isKnowledgeKey)
                asked = []
            default: break
            }
            let live = Set([state.current?.epoch, state.candidate?.key.epoch].compactMap(\.self))
            let liveBefore = Set([before.current?.epoch, before.candidate?.key.epoch].compactMap(\.self))
            dead.formUnion(liveBefore.subtracting(live))
            #expect(live.isDisjoint(with: dead))
            everLive.formUnion(live)
            if live.isDisjoint(with: liveBefore) { asked = [] }
            if state.guesses.count < before.guesses.count { #expect(state.window == before.window.next) }
            #expect(state.window >= before.window && state.nextEpoch >= before.nextEpoch)
            #expect(try PinHardening(stored: state.stored) == state)
        }
        #expect(everLive.count > 3, "The walk goes somewhere.")
    }

    private static func device() throws -> DeviceRecord {
        let keys = TestDevice()
        return DeviceRecord(
            id: .random(), user: try Fixture.alice(), client: .default, key: try keys.key.jwk,
            possessionKey: try keys.possession.id, name: try Fixture.phone(), boundAt: TestTime.start)
    }

    private static func step(
        of state: PinHardening,
        player: Player,
        elements: inout [BlindedElement],
        guesses: [(id: PinGuessID, epoch: PinEpoch)],
        own: Set<PinGuessID>,
        device: DeviceRecord,
        using generator: inout Walk
    ) throws -> (PinStep.Action, KeyID) {
        let epochs = [state.current?.epoch, state.candidate?.key.epoch, state.nextEpoch].compactMap(\.self)
        let epoch = epochs.randomElement(using: &generator) ?? .first
        let deviceKey = device.key.thumbprint
        let knowledgeKey = player == .owner ? state.knowledgeKey ?? deviceKey : deviceKey
        let key = Bool.random(using: &generator) ? knowledgeKey : deviceKey
        let guess = guesses.suffix(4).randomElement(using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            let sealed = SealedPinKey(
                epoch: state.nextEpoch, publicKey: try PinSteps.key(1).publicKey, box: [1])
            return (.open(sealed, code: player == .owner ? Fixture.hash() : nil), key)
        case 2: return (.abandon(epoch), key)
        case 3, 4:
            guard let guess, own.contains(guess.id) else { fallthrough }
            let all = (state.unexplained.map(\.id) + state.guesses.map(\.id)).filter(own.contains)
            let proof = PinProof(
                epoch: guess.epoch, window: state.window, guess: guess.id,
                own: Bool.random(using: &generator) ? PinGuessIDs(all) : nil)
            return (.prove(proof), knowledgeKey)
        case 5, 6:
            guard let guess, player == .owner, own.contains(guess.id) else { fallthrough }
            let promotion = PinPromotion(
                epoch: guess.epoch, window: state.window, guess: guess.id, knowledgeKey: .random())
            return (.promote(promotion), key)
        default:
            if elements.isEmpty || Bool.random(using: &generator) { elements.append(try PinSteps.element()) }
            let element = elements.suffix(3).randomElement(using: &generator) ?? elements[0]
            let window = Int.random(in: 0..<8, using: &generator) == 0 ? PinWindow.first : state.window
            return (
                .guess(PinGuess(epoch: epoch, window: window, blindedElement: element), id: .random()),
                device.possessionKey
            )
        }
    }

    @Test(
        "A stored value that is not a valid state is corrupt",
        arguments: ["", "{}", "[]", #"{"next_epoch":0}"#, "null"])
    func corrupt(text: String) {
        #expect(throws: RelyingPartyStoreError(.corrupt)) { try PinHardening(stored: Array(text.utf8)) }
    }

    @Test("A row from before there were unexplained guesses is read as one without any")
    func before() throws {
        let text = #"{"code_required":true,"guesses":[],"next_epoch":2,"window":3}"#
        let state = try PinHardening(stored: Array(text.utf8))
        #expect(state.unexplained.isEmpty && state.nextEpoch == PinSteps.epoch(2) && state.isCodeRequired)
    }

    @Test("The largest possible state can be stored and read")
    func largest() throws {
        let device = try Self.device()
        var state = PinHardening()
        let rounds = try PinSteps.round(100)
        func take(_ action: PinStep.Action, by key: KeyID) -> PinStepOutcome {
            state.take(
                PinStep(signer: key, rounds: rounds, action), of: device, isCodeGood: false,
                at: StepTime(TestTime.start)
            ).outcome
        }
        _ = take(.open(try PinSteps.key(1), code: nil), by: device.key.thumbprint)
        func guess() throws -> ChargedPinGuess {
            let guess = PinGuess(epoch: .first, window: state.window, blindedElement: try PinSteps.element())
            guard case .charged(let charged) = take(.guess(guess, id: .random()), by: device.possessionKey) else {
                throw StepFailed(outcome: "not charged")
            }
            return charged
        }
        let knowledgeKey = KeyID.random()
        let promotion = PinPromotion(
            epoch: .first, window: state.window, guess: try guess().id, knowledgeKey: knowledgeKey)
        guard case .cleared = take(.promote(promotion), by: device.key.thumbprint) else {
            throw StepFailed(outcome: "not promoted")
        }
        let cleared = try (0..<100).map { _ in try guess() }
        let proof = PinProof(
            epoch: .first, window: state.window, guess: cleared[0].id, own: PinGuessIDs(cleared.map(\.id)))
        guard case .cleared(let window) = take(.prove(proof), by: knowledgeKey), window.cleared.ids.count == 100 else {
            throw StepFailed(outcome: "not proved")
        }
        for _ in 0..<100 {
            let charged = try guess()
            guard case .charged = take(.keep(try PinSteps.evaluation(), of: charged), by: device.possessionKey) else {
                throw StepFailed(outcome: "not kept")
            }
        }
        #expect(state.guesses.count == 100 && state.guesses.allSatisfy { $0.evaluation != nil })
        #expect(try PinHardening(stored: state.stored) == state)
    }
}
