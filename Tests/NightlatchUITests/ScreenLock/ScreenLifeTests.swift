import Nightlatch
import NightlatchTesting
import NightlatchUI
import Testing

/// Windows of one profile go through random lives. The test compares their screens with the vault after every event.
@Suite("Screens and their vault over random lives", .timeLimit(.minutes(10)))
@MainActor
struct ScreenLifeTests {
    @Test("In any sequence of events, each screen is open if and only if its vault is", arguments: 1...12)
    func life(seed: UInt64) async throws {
        var life = try await ScreenLife(seed: seed)
        for _ in 0..<150 { try await life.step() }
        #expect(life.openings > 5, "the life was dull")
    }
}

@MainActor
private struct ScreenLife {
    private enum Event: CaseIterable {
        case phase, time, pin, prompt, use, unlock, cancel
        case lockVault, lockNow, changePin, changePinHere, strengthenPin, closeWindow, erase, missRecord

        /// Most events open something, or nothing could be locked.
        static let likely =
            allCases + [.phase, .phase, .pin, .pin, .pin, .pin, .prompt, .prompt, .unlock, .unlock, .use]
    }

    private struct Window {
        let lock: ScreenLock
        let timeAway: Duration
        var phase = AppPhase.inactive
        /// The time since which the window is in the background.
        var leftAt: Duration?
        /// The vault that the window showed last.
        var vault: OpenVault?
    }

    private let sensor = SlowSensor()
    private let phone: ScreenPhone
    private let autoLock = AutoLock(unused: .seconds(300), inBackground: .seconds(60))
    private var generator: SeededGenerator
    private var windows: [Window] = []
    private var pin = ScreenPhone.right
    private var iterations = 1
    private var log: [String] = []
    /// The prompt during which the vault was sealed again.
    private var stalePrompt: Int?
    private(set) var openings = 0

    init(seed: UInt64) async throws {
        generator = SeededGenerator(seed: seed)
        phone = try await ScreenPhone(sensor: sensor, autoLock: autoLock)
        windows = [window(.zero, .biometricsFirst), window(.milliseconds(100)), window(.seconds(60))]
    }

    private func window(_ timeAway: Duration, _ order: AuthenticatorOrder = .pinFirst) -> Window {
        Window(lock: phone.lock(timeAway: timeAway, order: order), timeAway: timeAway)
    }

    mutating func step() async throws {
        guard let event = Event.likely.randomElement(using: &generator) else { return }
        let index = Int.random(in: windows.indices, using: &generator)
        let wasOpen = windows.map(\.lock.isOpen)
        log = Array((log + ["\(event) at \(index)"]).suffix(8))
        try await happen(event, at: index)
        await quiesce()
        for index in windows.indices {
            if !wasOpen[index], windows[index].lock.isOpen {
                openings += 1
                windows[index].leftAt = nil
            }
            windows[index].vault = windows[index].lock.vault ?? windows[index].vault
        }
        for window in windows { try await check(window) }
        switch event {
        case .lockNow: #expect(windows.allSatisfy { !$0.lock.isOpen && !$0.lock.isAsking }, "\(log)")
        case .changePin, .strengthenPin: #expect(windows.allSatisfy { !$0.lock.isOpen }, "\(log)")
        case .lockVault where wasOpen[index]: #expect(!windows[index].lock.isOpen, "\(log)")
        default: break
        }
    }

    private mutating func happen(_ event: Event, at index: Int) async throws {
        let lock = windows[index].lock
        switch event {
        case .phase:
            move(index, to: (AppPhase.allCases + [.active, .active]).randomElement(using: &generator) ?? .active)
        case .time:
            pass([0, 0.05, 0.05, 1, 1, 1, 59, 60, 299, 300, 4000].randomElement(using: &generator) ?? 0)
        case .pin:
            await bringToFront(index)
            guard lock.isAsking, !(index == 0 && sensor.isUp) else { return }
            await lock.type(pin)
            await until { !lock.pad.display.isBusy }
        case .prompt: try await answerPrompt()
        case .use: _ = try await lock.vault?.names()
        case .unlock: lock.unlock()
        case .cancel: lock.pad.press(.cancel)
        case .lockVault: await lock.vault?.lock()
        case .lockNow: lock.lockNow()
        case .changePin:
            let new = otherPin
            await (try await phone.vault().changePin(from: Self.pin(pin), to: Self.pin(new))).lock()
            pin = new
            await allAreSuperseded()
        case .changePinHere:
            guard let vault = lock.vault else { return }
            let person = ScriptedPerson(entering: [.pin(pin)], creating: [.pin(otherPin)])
            let service = LocalAuthService(profile: phone.profile.id, in: phone.profiles, prompt: person)
            guard case .changed = try await service.changePin(in: vault).outcome else {
                Issue.record("the PIN was not changed: \(log)")
                return
            }
            pin = otherPin
            await allAreSuperseded(butFor: index)
            #expect(lock.isOpen && lock.vault === vault, "\(log)")
        case .strengthenPin:
            iterations += 1
            await (try await phone.vault(iterations: iterations).unlock(with: Self.pin(pin))).lock()
            await allAreSuperseded()
        case .erase:
            // The prompt would release the key of a vault that no longer exists.
            guard !sensor.isUp, !windows.contains(where: \.lock.isAsking) else { return }
            let shown = windows.map(\.lock.vault)
            try await phone.vault().erase()
            #expect(shown.allSatisfy { vault in vault.map { $0.opening.end != nil } ?? true }, "\(log)")
            try await phone.setUpAgain(pin)
            await allAreSuperseded()
        case .missRecord:
            guard let vault = lock.vault else { return }
            phone.store.missRecord(at: 0)
            if Bool.random(using: &generator) { _ = try await vault.names() } else { await vault.endIfSuperseded() }
            phone.store.repair()
            #expect(lock.vault === vault, "one wrong answer of the store has closed a screen: \(log)")
        case .closeWindow:
            lock.appIs(.background)
            await until { !sensor.isUp || index != 0 }
            windows[index] = window(windows[index].timeAway, index == 0 ? .biometricsFirst : .pinFirst)
        }
    }

    /// The system's prompt makes all windows inactive, and makes them active again soon after the answer.
    private mutating func answerPrompt() async throws {
        let lock = windows[0].lock
        await bringToFront(0)
        guard lock.isAsking, sensor.isUp else { return }
        let inFront = windows.indices.filter { windows[$0].phase == .active }
        let wasOpen = inFront.filter { windows[$0].lock.isOpen }
        for index in inFront { move(index, to: .inactive) }
        pass([0, 0.1, 3].randomElement(using: &generator) ?? 0)
        // If the vault was sealed again since the prompt appeared, another prompt is needed.
        let promptCount = sensor.promptCount + (stalePrompt == sensor.promptCount ? 1 : 0)
        await until {
            sensor.recognise()
            return !sensor.isUp && !lock.isAsking
        }
        pass([0, 0.1, 3].randomElement(using: &generator) ?? 0)
        for index in inFront { move(index, to: .active) }
        await quiesce()
        #expect(lock.isOpen && sensor.promptCount == promptCount, "\(log)")
        // The vault's own time may have ended for them.
        for index in wasOpen where windows[index].vault?.opening.end == nil {
            #expect(windows[index].lock.isOpen, "\(log)")
        }
    }

    private mutating func bringToFront(_ index: Int) async {
        move(index, to: .active)
        windows[index].lock.unlock()
        await quiesce()
    }

    private func isOverdue(_ window: Window) -> Bool {
        guard window.phase == .background, let leftAt = window.leftAt else { return false }
        return phone.clock.continuousTime() - leftAt >= window.timeAway
    }

    private mutating func move(_ index: Int, to phase: AppPhase) {
        switch phase {
        case .active: windows[index].leftAt = nil
        case .inactive: break
        case .background: windows[index].leftAt = windows[index].leftAt ?? phone.clock.continuousTime()
        }
        windows[index].phase = phase
        windows[index].lock.appIs(phase)
    }

    /// Records that the vault was sealed again. Each window that showed it before is notified.
    private mutating func allAreSuperseded(butFor index: Int? = nil) async {
        if sensor.isUp { stalePrompt = sensor.promptCount }
        await until { windows.indices.allSatisfy { $0 == index || !windows[$0].lock.isOpen } }
    }

    private func pass(_ seconds: Double) { phone.clock.advance(by: .seconds(seconds)) }

    private var otherPin: String { pin == ScreenPhone.right ? "714906" : ScreenPhone.right }

    private static func pin(_ digits: String) throws -> Pin {
        try Pin(digits: SecretBytes(copying: Array(digits.utf8)))
    }

    /// Returns when each challenge is on a pad or at the sensor, and each screen has noticed the end of its vault.
    private func quiesce() async {
        for window in windows {
            let lock = window.lock
            await lock.settle()
            await until {
                let isAsked = lock.pad.display.keys.contains(.digit(.one))
                return lock.isAsking ? isAsked || sensor.isUp : lock.isOpen || lock.pad.display.title == .idle
            }
            await until { !isOverdue(window) || !lock.isOpen }
            await lock.settle()
        }
    }

    private func until(_ isReached: () -> Bool) async {
        while !isReached() { await Task.yield() }
    }

    private func check(_ window: Window) async throws {
        let lock = window.lock
        if let vault = lock.vault {
            #expect(lock.isOpen && !lock.isAsking && !lock.canAsk, "\(log)")
            #expect(lock.isCovered == (window.phase != .active), "\(log)")
            #expect(!isOverdue(window), "it was left for too long: \(log)")
            await vault.endIfSuperseded()
            let isLocked = await vault.isLocked
            // The time of an inactive window may end just now: then both are locked.
            if lock.vault === vault {
                #expect(!isLocked, "the screen is open and the vault is not: \(log)")
            } else {
                await lock.settle()
                #expect(await vault.isLocked, "the vault is open and the screen is not: \(log)")
            }
        } else {
            #expect(!lock.isOpen && lock.isCovered && (lock.isAsking || lock.canAsk), "\(log)")
            if let vault = window.vault {
                #expect(await vault.isLocked, "the vault is open and the screen is not: \(log)")
            }
        }
        #expect(window.phase != .background || !lock.isAsking, "\(log)")
    }
}
