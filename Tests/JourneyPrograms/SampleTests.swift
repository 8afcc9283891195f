import Foundation
import Nightlatch
import NightlatchJourney
import Testing

@Suite("Programs with the structure of the vendor's samples")
struct SampleTests {
    private let server = SampleServer()

    private func journey() -> Journey { makeLoginJourney { [server] in $0.transport = server } }

    @Test("The login sample starts a journey with tokens, and the other forms of creating one compile")
    func login() async throws {
        let journey = journey()
        #expect(await startForced(journey) is SuccessNode)
        let link = try #require(URL(string: "https://openam.example.com/?suspendedId=1"))
        #expect(await resume(journey, link) is SuccessNode)
        #expect(await startForced(makeEmptyJourney()) is FailureNode)
        #expect(await startForced(makeLabelledJourney()) is FailureNode)
        #expect(options(true).forceAuth)
    }

    @Test("The token and profile screens get tokens, renew and revoke them, and show the user's claims")
    func tokens() async throws {
        let journey = journey()
        let model = await MainActor.run { AccessTokenViewModel() }
        await model.accessToken(journey)
        #expect(await model.token == "no user")
        _ = await startForced(journey)
        await model.accessToken(journey)
        #expect(await model.token == "access-1")
        #expect(await model.lifetime == 3600)
        await model.refresh(journey)
        #expect(await model.token == "access-2")
        #expect(server.revoked.isEmpty)
        await model.revoke(journey)
        #expect(server.revoked == ["token=refresh-2&client_id=sample-client"])
        #expect(await showProfile(journey, cached: true) == ["email_verified: true", "sub: demo"])
        #expect(kind(of: OidcError.apiError(code: 401, message: "invalid_token")) == "api 401 invalid_token")
    }

    @Test("The start and logout screens read and end the session")
    func session() async throws {
        let journey = journey()
        _ = await startForced(journey)
        #expect(await sessionToken(journey) == "session")
        await logOut(journey)
        #expect(await sessionToken(journey) == "")
        _ = await startForced(journey)
        #expect(await forget(journey))
    }

    @Test("Two journeys keep tokens and sessions in storages of their own")
    func storages() async throws {
        let (tokens, sessions) = (CountingStorage<Token>(), CountingStorage<SSOTokenImpl>())
        let journeys = makeJourneys(tokens, sessions) { $0.transport = SampleServer() }
        for journey in journeys {
            _ = await startForced(journey)
            _ = try await #require(await journey.journeyUser()).token().get()
        }
        #expect(await tokens.writes == 1)
        #expect(await sessions.writes == 1)
    }

    @Test("Nothing of the earlier SDK is migrated")
    func migration() async {
        #expect(await migrate() == "nothing to migrate")
        #expect(await migrateIfNeeded() == [false, false])
    }

    @Test("Configurations are objects with the vendor's defaults")
    func configurations() {
        #expect(makeConfigurations() == ["my-custom-key-tag", "my-biometric-key-tag"])
        #expect(readDefaults() == "30")
        let holder = PinScreenHolder()
        let screen = CustomPinCollector()
        holder.collector = screen
        #expect(holder.collector === screen)
        #expect(reason(unsupported()) == "This device is too old.")
        #expect(reason(.abort) == "Abort")
    }
}
