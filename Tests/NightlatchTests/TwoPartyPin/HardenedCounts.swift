import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The numbers of charged attempts on both sides.
struct Counts {
    private let failures: Int
    private let standing: PinStanding?
    private let chargedCount: Int
    /// Whether a PIN slot or its local tier opens without the hardener.
    private let opensAlone: Bool

    init(of phone: HardenedPhone) async throws {
        failures = try await phone.store.failures()
        standing = phone.hardener.standing(of: phone.device)
        chargedCount = phone.hardener.chargedCount
        let protection = try await phone.vault().protection()
        opensAlone = protection.map { $0.hasLocalTier || $0.hardener == nil && $0.keyDerivation != nil } ?? false
    }

    /// Checks that each side's count has only decreased after a right PIN, or after a new PIN with full credentials.
    ///
    /// - Parameter shownRightPin: Whether a right PIN was entered since `before`.
    func expectNoneWentDown(since before: Counts, shownRightPin: Bool, _ situation: Comment) {
        guard let standing, let old = before.standing else {
            // No epoch was ever opened: the PIN is local, and a right one needs no hardener.
            #expect(failures >= before.failures || shownRightPin, situation)
            return
        }
        if standing.window == old.window {
            #expect(standing.triesLeft <= old.triesLeft, situation)
            #expect(old.triesLeft - standing.triesLeft == chargedCount - before.chargedCount, situation)
        } else {
            // A proof or a promotion charges a guess. After a destruction there is nothing to guess.
            #expect(standing.epoch == nil || shownRightPin && chargedCount > before.chargedCount, situation)
        }
        if failures < before.failures {
            // The hardener confirmed the right PIN; a slot that opens alone needs no confirmation.
            #expect(shownRightPin && (chargedCount > before.chargedCount || before.opensAlone), situation)
        }
    }
}
