import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// How many PINs were counted on both sides.
struct Counts {
    private let failures: Int
    private let standing: PinStanding?
    private let chargedCount: Int
    /// Whether a PIN slot or a tier of it opens without the hardener.
    private let opensAlone: Bool

    init(of phone: HardenedPhone) async throws {
        failures = try await phone.store.failures()
        standing = phone.hardener.standing(of: phone.device)
        chargedCount = phone.hardener.chargedCount
        let protection = try await phone.vault().protection()
        opensAlone = protection.map { $0.hasLocalTier || $0.hardener == nil && $0.keyDerivation != nil } ?? false
    }

    /// Each side's count goes down only when a right PIN, or a new one after full credentials, was shown to it.
    ///
    /// - Parameter shownRightPin: Whether one was entered in between.
    func expectNoneWentDown(since before: Counts, shownRightPin: Bool, _ situation: Comment) {
        guard let standing, let old = before.standing else {
            // No epoch was ever opened: the device's PIN is a local one, and a right one needs nobody.
            #expect(failures >= before.failures || shownRightPin, situation)
            return
        }
        if standing.window == old.window {
            #expect(standing.triesLeft <= old.triesLeft, situation)
            #expect(old.triesLeft - standing.triesLeft == chargedCount - before.chargedCount, situation)
        } else {
            // A proof or a promotion, which take a guess; or destruction, after which there is nothing to guess.
            #expect(standing.epoch == nil || shownRightPin && chargedCount > before.chargedCount, situation)
        }
        if failures < before.failures {
            // The right PIN was answered for; what opens alone answers for itself.
            #expect(shownRightPin && (chargedCount > before.chargedCount || before.opensAlone), situation)
        }
    }
}
