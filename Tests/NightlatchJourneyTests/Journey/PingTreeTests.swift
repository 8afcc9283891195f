#if os(Linux) || os(macOS)
import Foundation
import Nightlatch
import NightlatchJourney
import Testing

@Suite("Branches of the trees of a server in Python")
struct PingTreeTests {
    private let phone = JourneyPhone()

    /// A user that no other test uses: all tests share one server.
    private let user = "user-" + UUID().uuidString

    /// An authenticator that reports that attestation is not supported.
    private struct UnattestedAuthenticator: DeviceAuthenticator {
        func type() -> DeviceBindingAuthenticationType { .none }
        func isSupported(attestation: Attestation) -> Bool { attestation == .none }
    }

    @Test("A device is bound although the server requests attestation, which only Android has")
    func attestation() async throws {
        let journey = try PingWalk.journey(phone)
        let end = await PingWalk.run("Bind-NONE-attested", as: user, in: journey) { callback in
            guard let callback = callback as? DeviceBindingCallback else { return }
            #expect(callback.attestation == .challenge(callback.challenge))
            await callback.bind()
        }
        #expect(PingWalk.isSuccess(end.node))
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: journey).node))
    }

    @Test("If the app's authenticator has no attestation, the server gets the client error Unsupported")
    func noAttestation() async throws {
        let journey = try PingWalk.journey(phone)
        let end = await PingWalk.run("Bind-NONE-attested-told", as: user, in: journey) { callback in
            await (callback as? DeviceBindingCallback)?.bind { $0.deviceAuthenticator = UnattestedAuthenticator() }
        }
        #expect(end.stages.last == "Unsupported")
        #expect(end.node is ErrorNode)
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
    }

    @Test(
        "An error of a binding leads to the branch of the tree for its client error",
        arguments: ["Unsupported", "Abort", "Custom"])
    func told(_ outcome: String) async throws {
        let journey = try PingWalk.journey(phone)
        let tree = outcome == "Unsupported" ? "Bind-FACE-told" : "Bind-APPLICATION_PIN-told"
        phone.person.type(.cancel)
        let end = await PingWalk.run(tree, as: user, in: journey) { callback in
            guard let callback = callback as? DeviceBindingCallback else { return }
            if outcome == "Custom" { callback.setClientError("Custom") } else { await callback.bind() }
        }
        #expect(end.stages.last == outcome)
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
    }

    @Test("A page that is answered twice after a binding costs no key")
    func pageAfterBinding() async throws {
        let journey = try PingWalk.journey(phone)
        var node = await journey.start("Bind-NONE-page")
        var last: ContinueNode?
        while let step = node as? ContinueNode {
            last = step
            await PingWalk.fill(step, as: user)
            node = await step.next()
        }
        #expect(PingWalk.isSuccess(node))
        let again = try #require(await last?.next() as? FailureNode)
        #expect(again.cause as? JourneyError == .alreadyAnswered)
        let key = try #require(try await journey.userKeys?.getAllKeys().first)
        #expect(try await journey.boundDevices.list().map(\.id) == [key.kid])
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: journey).node))
    }

    @Test("If the server was too busy, the same step is sent again, and the key is bound once")
    func busy() async throws {
        let journey = try PingWalk.journey(phone)
        var node = await journey.start("Bind-NONE-busy")
        var refusals = 0
        while let step = node as? ContinueNode {
            await PingWalk.fill(step, as: user)
            node = await step.next()
            if let failure = node as? FailureNode, (failure.cause as? JourneyError)?.leavesStepOpen == true {
                refusals += 1
                node = await step.next()
            }
        }
        #expect(PingWalk.isSuccess(node))
        #expect(refusals == 2)
        #expect(try await journey.boundDevices.list().count == 1)
        #expect(try await phone.possessions().keys == 1)
    }

    @Test("A user who sends a binding page back empty is asked again, and can then bind")
    func empty() async throws {
        let journey = try PingWalk.journey(phone)
        var challenges: [String] = []
        let end = await PingWalk.run("Bind-NONE-second", as: user, in: journey) { callback in
            guard let callback = callback as? DeviceBindingCallback else { return }
            challenges.append(callback.challenge)
            if challenges.count == 2 { await callback.bind() }
        }
        #expect(PingWalk.isSuccess(end.node))
        #expect(Set(challenges).count == 2)
        #expect(try await phone.possessions().keys == 1)
    }

    @Test("At the device limit a user binds no more devices, and the previous key still signs")
    func limit() async throws {
        let journey = try PingWalk.journey(phone)
        #expect(PingWalk.isSuccess(await PingWalk.run("Bind-NONE-limit", as: user, in: journey).node))
        let before = try await journey.userKeys?.getAllKeys()
        let end = await PingWalk.run("Bind-NONE-limit", as: user, in: journey)
        #expect(end.stages.last == "exceedDeviceLimit" && end.node is ErrorNode)
        #expect(try await journey.userKeys?.getAllKeys() == before)
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: journey).node))
    }

    @Test("A user without a device and a user with another device are led to binding, each by its own branch")
    func ways() async throws {
        let journey = try PingWalk.journey(phone)
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: journey).node))
        #expect(try await phone.possessions().keys == 1)
        // The user now has a device, but not this one.
        let other = JourneyPhone()
        let second = try PingWalk.journey(other)
        let told = await PingWalk.run("Told", as: user, in: second)
        #expect(told.stages.last == "ClientNotRegistered")
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: second).node))
        #expect(try await second.boundDevices.list().count == 2)
    }

    @Test("A device that the user deleted from another device has no key at the server, and can be bound again")
    func removed() async throws {
        let journey = try PingWalk.journey(phone)
        let other = try PingWalk.journey(JourneyPhone())
        for journey in [journey, other] {
            #expect(PingWalk.isSuccess(await PingWalk.run("Bind-NONE", as: user, in: journey).node))
        }
        let lost = try #require(try await journey.userKeys?.getAllKeys().first)
        let device = try #require(try await other.boundDevices.list().first { $0.id == lost.kid })
        try await other.boundDevices.delete(device)
        #expect(await PingWalk.run("Told", as: user, in: journey).stages.last == "keyNotFound")
        #expect(PingWalk.isSuccess(await PingWalk.run("Sign", as: user, in: journey).node))
        let new = try #require(try await journey.userKeys?.getAllKeys().first)
        #expect(new.kid != lost.kid)
        #expect(Set(try await other.boundDevices.list().map(\.id)).contains(new.kid))
    }

    @Test(
        "An empty user name, null and a missing user name all mean signing without a user name",
        arguments: ["", "-null", "-missing"])
    func usernameless(_ form: String) async throws {
        let journey = try PingWalk.journey(phone)
        #expect(PingWalk.isSuccess(await PingWalk.run("Bind-NONE", as: user, in: journey).node))
        #expect(PingWalk.isSuccess(await PingWalk.run("Usernameless" + form, as: "", in: journey).node))
    }

    @Test("A suspended journey resumes by the link's id alone")
    func suspended() async throws {
        let journey = try PingWalk.journey(phone)
        let page = try #require(await journey.start("Suspend") as? ContinueNode)
        let id = try #require((page.callbacks.first as? TextOutputCallback)?.message)
        var link = try #require(URLComponents(string: "https://other.example.com/am/UI/Login?realm=/alpha"))
        link.percentEncodedQuery =
            "suspendedId=" + (id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        let url = try #require(link.url)
        let step = try #require(await journey.resume(url) as? ContinueNode)
        await PingWalk.fill(step, as: user)
        #expect(PingWalk.isSuccess(await step.next()))
        #expect(await journey.resume(url) is ErrorNode)
    }

    @Test("A journey that took too long and a refused journey have different results")
    func slow() async throws {
        let journey = try PingWalk.journey(phone)
        let slow = await PingWalk.run("Slow", as: user, in: journey, forceAuth: true).node as? ErrorNode
        #expect(slow?.isSessionTimeout == true && slow?.status == 401)
        let refused = await PingWalk.run("NoSuchTree", as: user, in: journey).node as? ErrorNode
        #expect(refused?.isSessionTimeout == false)
    }

    @Test("A success without a token keeps no session")
    func tokenless() async throws {
        let journey = try PingWalk.journey(phone)
        let end = try #require(await PingWalk.run("Tokenless", as: user, in: journey).node as? SuccessNode)
        #expect(end.session.value.isEmpty && end.session.successUrl == "/enduser/?realm=/alpha")
        #expect(await journey.session() == nil)
    }
}
#endif
