import Nightlatch
import NightlatchTesting
import Testing

extension HardenedPhone {
    /// The operation whose promotion got no answer.
    enum Pending: CaseIterable {
        /// The move of a local vault to the hardener, under ``TestPin/right``.
        case enrolment
        /// The change from ``TestPin/right`` to ``TestPin/new``.
        case change
    }

    /// A phone with a pending change on disk. Its hardener has promoted the change, or never got the request; the phone
    /// got no answer.
    static func pending(
        _ pending: Pending,
        isPromoted: Bool,
        offlinePin: OfflinePinPolicy = .refused
    ) async throws -> HardenedPhone {
        let phone = try await HardenedPhone(isEnrolled: pending == .change, offlinePin: offlinePin)
        switch pending {
        case .enrolment:
            // Open, evaluate, promote.
            phone.hardener.fail(at: 2, isPromoted ? .answer : .request)
            try await phone.vault().unlock(TestPin.right)
        case .change:
            // Evaluate, prove, open, evaluate, promote.
            phone.hardener.fail(at: 4, isPromoted ? .answer : .request)
            await #expect(throws: ChangePinError.self) {
                try await phone.vault().changePin(TestPin.right, to: TestPin.new)
            }
        }
        #expect(try await phone.store.json()["change"] != nil)
        phone.store.repair()
        phone.hardener.repair()
        return phone
    }
}
