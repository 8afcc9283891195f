import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Storing a journey's session")
struct SessionStorageTests {
    private let phone = TokenPhone()

    @Test("A session that is deleted while it is being stored does not come back")
    func deletedWhileStored() async throws {
        let storage = SlowStorage()
        let journey = phone.journey(sessions: storage)
        let gate = await storage.hold()
        let start = Task { await journey.start("Login") is SuccessNode }
        await gate.arrival()
        #expect(await journey.session() != nil)
        let deletion = Task { await journey.deleteSession() }
        while await journey.session() != nil { await Task.yield() }
        gate.open()
        await deletion.value
        #expect(await start.value)
        #expect(await storage.item == nil)
    }

    @Test("A session that could not be deleted is deleted by the next call")
    func pendingDeletion() async throws {
        let storage = SlowStorage()
        let journey = phone.journey(sessions: storage)
        _ = try await phone.user(of: journey)
        await storage.fail([.save, .delete])
        await journey.deleteSession()
        #expect(await journey.session() == nil)
        #expect(await storage.item != nil)
        await storage.fail([])
        #expect(await journey.session() == nil)
        #expect(await storage.item == nil)
    }

    @Test("A session that could not be stored replaces the earlier one, and is stored by the next call")
    func pendingSave() async throws {
        let storage = SlowStorage()
        let journey = phone.journey(sessions: storage)
        _ = try await phone.user(of: journey)
        await storage.fail([.save])
        _ = try await phone.user(of: journey)
        #expect(await journey.session()?.value == "session-2")
        #expect(await storage.item == nil, "the earlier session would count after a restart")
        await storage.fail([])
        #expect(await journey.session()?.value == "session-2")
        #expect(await storage.item?.value == "session-2")
    }

    @Test("Tokens that could not be deleted are not used any more, and are deleted by the next call")
    func pendingTokenDeletion() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        let store = try #require(phone.tokenStore)
        store.fail(at: 1, .before)
        await user.logout()
        await #expect(throws: OidcError.self) { try await user.token().get() }
        store.repair()
        #expect(try await store.read() != nil)
        await #expect(throws: OidcError.self) { try await user.token().get() }
        #expect(try await store.read() == nil)
    }

    @Test("A session that cannot be read now is not treated as none")
    func unreadable() async throws {
        let storage = SlowStorage()
        _ = try await phone.user(of: phone.journey(sessions: storage))
        await storage.fail([.get])
        let journey = phone.journey(sessions: storage)
        let user = try #require(await journey.journeyUser())
        guard case .failure(.unknown(let cause?, _)) = await user.token() else { throw JourneyPhone.Unexpected() }
        #expect(cause as? StoreError == StoreError(.unavailable))
        await #expect(throws: StoreError.self) { try await journey.signOff().get() }
        await storage.fail([])
        #expect(try await user.token().get().accessToken == "access-1")
    }

    @Test("A damaged session counts as none, and is removed by a sign-off or replaced by a login")
    func damaged() async throws {
        for error in [StoreError(.corrupt), SlowStorage.undecodable] as [any Error & Sendable] {
            let (phone, storage) = (TokenPhone(), SlowStorage())
            _ = try await phone.user(of: phone.journey(sessions: storage))
            await storage.damage(error)
            let journey = phone.journey(sessions: storage)
            #expect(await journey.journeyUser() == nil)
            try await journey.signOff().get()
            #expect(await storage.item == nil)
            await storage.damage(error)
            let later = phone.journey(sessions: storage)
            _ = try await phone.user(of: later).token().get()
        }
    }
}

/// A storage that can fail, and that can hold a save until a test opens it.
private actor SlowStorage: Storage {
    enum Call: Sendable { case save, get, delete }

    static let undecodable = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "secret"))

    private(set) var item: SSOTokenImpl?
    private var failing: Set<Call> = []
    private var damage: (any Error & Sendable)?
    private var gate: TokenServer.Gate?

    func fail(_ calls: Set<Call>) { failing = calls }
    func damage(_ error: any Error & Sendable) { damage = error }

    func hold() -> TokenServer.Gate {
        let gate = TokenServer.Gate()
        self.gate = gate
        return gate
    }

    func save(item: SSOTokenImpl) async throws {
        if let gate {
            self.gate = nil
            await gate.pass()
        }
        try check(.save)
        damage = nil
        self.item = item
    }

    func get() async throws -> SSOTokenImpl? {
        try check(.get)
        if let damage { throw damage }
        return item
    }

    func delete() async throws {
        try check(.delete)
        damage = nil
        item = nil
    }

    private func check(_ call: Call) throws {
        if failing.contains(call) { throw StoreError(.unavailable) }
    }
}
