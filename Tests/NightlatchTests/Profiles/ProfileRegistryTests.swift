import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Registry of profiles")
struct ProfileRegistryTests {
    private static let record = """
        {"format":1,"profiles":[{"device_keys":["ICEiIyQlJicoKSorLC0uLw"],"id":"AAECAwQFBgcICQoLDA0ODw","name":"Alice",\
        "pin_changing":false,"pin_length":6,"pin_lengths":{"least":6,"most":8},"preferred_authenticator":"biometrics",\
        "stage":"registered"},{"device_keys":[],"id":"EBESExQVFhcYGRobHB0eHw","name":"Bob","pin_changing":true,\
        "pin_lengths":{"least":4,"most":4},"preferred_authenticator":"pin","stage":"registered"}],"revision":7}
        """

    private static let source = #""policy_source":{"origin":"MDEyMzQ1Njc4OTo7PD0-Pw","revision":5}"#

    private func profiles(reading text: String, revision: UInt64 = 7) -> (Profiles, MemoryStore) {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: revision, bytes: Array(text.utf8)))
        return (
            Profiles(registry: store, deviceKeys: nil, remembersPinLengths: true) { _ in .forTests(MemoryStore()) },
            store
        )
    }

    @Test("A registry of format 1, as it exists on users' devices, is read")
    func frozen() async throws {
        let (profiles, store) = profiles(reading: Self.record)
        let alice = Profile(
            id: ProfileID(unchecked: "AAECAwQFBgcICQoLDA0ODw"), name: ProfileName(unchecked: "Alice"),
            pinPolicy: try PinPolicy(lengths: 6...8), pinLength: 6, preferredAuthenticator: .biometrics)
        let bob = Profile(
            id: ProfileID(unchecked: "EBESExQVFhcYGRobHB0eHw"), name: ProfileName(unchecked: "Bob"),
            pinPolicy: try PinPolicy(lengths: 4...4))
        #expect(try await profiles.all() == [alice, bob])
        // It is also written in the same form.
        try await profiles.rename(alice.id, to: ProfileName(unchecked: "Eve"))
        try await profiles.rename(alice.id, to: ProfileName(unchecked: "Alice"))
        let text = String(decoding: try #require(try await store.read()).bytes, as: UTF8.self)
        #expect(text == Self.record.replacing("\"revision\":7", with: "\"revision\":9"))
    }

    @Test("A registry of format 2, with a policy and a number of different digits, is read")
    func secondFormat() async throws {
        let record = Self.record.replacing("\"format\":1", with: "\"format\":2")
            .replacing("\"pin_lengths\":{\"least\":6", with: "\"pin_lengths\":{\"distinct_digits\":3,\"least\":6")
            .replacing("\"most\":8}", with: "\"most\":8},\"policy\":{\"lockout_policy\":\"payment\"},\(Self.source)")
        let (profiles, store) = profiles(reading: record)
        let alice = try #require(try await profiles.all().first)
        #expect(alice.pinPolicy == (try PinPolicy(lengths: 6...8, distinctDigits: 3)))
        #expect(alice.policy.lockoutPolicy == .payment)
        // It is also written in the same form.
        try await profiles.rename(alice.id, to: ProfileName(unchecked: "Eve"))
        try await profiles.rename(alice.id, to: ProfileName(unchecked: "Alice"))
        let text = String(decoding: try #require(try await store.read()).bytes, as: UTF8.self)
        #expect(text == record.replacing("\"revision\":7", with: "\"revision\":9"))
        for broken in [
            record.replacing("\"policy\":{\"lockout_policy\":\"payment\"}", with: "\"policy\":{}"),
            record.replacing("payment", with: "bank"),
            record.replacing(",\(Self.source)", with: ""),
            record.replacing("\"revision\":5", with: "\"revision\":-5"),
            record.replacing("\"distinct_digits\":3", with: "\"distinct_digits\":1"),
            record.replacing("\"distinct_digits\":3", with: "\"distinct_digits\":6"),
        ] {
            let (profiles, _) = self.profiles(reading: broken)
            await #expect(throws: RegistryError(.profiles, .corrupt)) { try await profiles.all() }
        }
    }

    @Test("A registry of a newer version is refused with an explanation, and stays as it is", arguments: [3, 99])
    func newer(format: Int) async throws {
        let text = "{\"format\":\(format),\"anything\":[]}"
        let (profiles, store) = profiles(reading: text)
        let error = RegistryError(.profiles, .newerFormat(found: format, newestKnown: 2))
        #expect("\(error)".contains("update the app"))
        await #expect(throws: error) { try await profiles.all() }
        await #expect(throws: error) { try await profiles.resume() }
        let person = ScriptedPerson(creating: [.pin(TestPin.right)])
        await #expect(throws: RegistrationError<Never>.registry(error)) {
            try await profiles.register(ProfileName(unchecked: "Carol"), prompt: person)
        }
        await #expect(throws: DeregistrationError.registry(error)) { try await profiles.deregister(.random()) }
        #expect(try await store.read()?.bytes == Array(text.utf8))
        #expect(person.creatings.isEmpty)
    }

    @Test(
        "Anything but the library's own format is corrupt",
        arguments: [
            ("\"format\":1", "\"format\":0"), ("\"format\":1", "\"format\":-1"), ("\"format\":1", "\"format\":\"1\""),
            ("\"format\":1", "\"format\":2"),
            ("\"most\":8}", "\"most\":8},\"policy\":{\"lockout_policy\":\"payment\"}"),
            ("\"most\":8}", "\"most\":8,\"distinct_digits\":3}"),
            ("\"format\":1,", ""), ("\"format\":1", "\"format\":1,\"format\":1"),
            ("\"format\":1", "\"format\":1,\"x\":1"),
            ("\"revision\":7", "\"revision\":8"), ("\"revision\":7", "\"revision\":-7"), (",\"revision\":7", ""),
            ("\"least\":6", "\"least\":3"), ("\"most\":8", "\"most\":13"), ("\"most\":8", "\"most\":5"),
            ("\"pin_length\":6", "\"pin_length\":13"), ("\"pin_length\":6", "\"pin_length\":null"),
            ("\"pin_changing\":false", "\"pin_changing\":true"), ("\"pin_changing\":false,", ""),
            ("\"registered\"}]", "\"gone\"}]"), ("\"biometrics\"", "\"password\""),
            ("\"pin_length\":6,", "\"pin_length\":6,\"pin\":\"482915\","),
            ("registered\"},{", "deregistering\"},{"), ("registered\"},{", "registering\"},{"),
            ("EBESExQVFhcYGRobHB0eHw", "AAECAwQFBgcICQoLDA0ODw"), ("EBESExQVFhcYGRobHB0eHw", "EBESExQVFhcYGRobHB0eH"),
            ("\"Bob\"", "\"\""), ("\"Bob\"", "\"Bo\\u0000b\""), ("\"Bob\"", "\"B\\u006fb\""), ("\"Bob\"", "7"),
            ("[\"ICEiIyQlJicoKSorLC0uLw\"]", "[\"ICEiIyQlJicoKSorLC0uLw\",\"ICEiIyQlJicoKSorLC0uLw\"]"),
            ("\"revision\":7}", "\"revision\":7"), ("\"revision\":7}", "\"revision\":7} "),
            ("\"revision\":7}", "\"revision\":7}{}"), ("{\"format\"", "[{\"format\""),
            ("\"profiles\":[", "\"profiles\":[[],"),
        ])
    func corrupt(part: String, replacement: String) async throws {
        let text = Self.record.replacing(part, with: replacement, maxReplacements: 1)
        #expect(text != Self.record)
        let (profiles, store) = profiles(reading: text)
        await #expect(throws: RegistryError(.profiles, .corrupt)) { try await profiles.all() }
        await #expect(throws: DeregistrationError.registry(RegistryError(.profiles, .corrupt))) {
            try await profiles.deregister(.random())
        }
        #expect(try await store.read()?.bytes == Array(text.utf8))
    }

    @Test("A registry that is truncated, empty, too long, too deep or not text is corrupt, and stays as it is")
    func cut() async throws {
        let whole = Array(Self.record.utf8)
        var texts = stride(from: 0, to: whole.count, by: 7).map { Array(whole.prefix($0)) }
        texts.append(Array(repeating: 0xFF, count: 300))
        texts.append(Array(String(repeating: "[", count: 10_000).utf8))
        texts.append(whole.dropLast() + Array(repeating: UInt8(ascii: " "), count: 64 * 1024) + [UInt8(ascii: "}")])
        for bytes in texts {
            let store = MemoryStore()
            store.plant(StoredRecord(revision: 7, bytes: bytes))
            let profiles = Profiles(registry: store, deviceKeys: nil) { _ in .forTests(MemoryStore()) }
            await #expect(throws: RegistryError(.profiles, .corrupt)) { try await profiles.resume() }
            #expect(try await store.read()?.bytes == bytes)
        }
    }

    @Test("A registry with 33 profiles, or with 17 keys of one, is corrupt")
    func tooMany() async throws {
        func entry(keys: Int) -> String {
            let tags = (0..<keys).map { _ in "\"\(KeyTag.random())\"" }.joined(separator: ",")
            return """
                {"device_keys":[\(tags)],"id":"\(ProfileID.random())","name":"A","pin_changing":false,\
                "pin_lengths":{"least":6,"most":6},"preferred_authenticator":"pin","stage":"registered"}
                """
        }
        func isRead(_ entries: [String]) async -> Bool {
            let text = "{\"format\":1,\"profiles\":[\(entries.joined(separator: ","))],\"revision\":7}"
            do {
                return try await profiles(reading: text).0.all().count == entries.count
            } catch {
                #expect(error == RegistryError(.profiles, .corrupt))
                return false
            }
        }
        #expect(await isRead((0..<32).map { _ in entry(keys: 0) }))
        #expect(!(await isRead((0..<33).map { _ in entry(keys: 0) })))
        #expect(await isRead([entry(keys: 16)]))
        #expect(!(await isRead([entry(keys: 17)])))
    }

    @Test("The registry contains no secret: no PIN, no key, no name of a secret")
    func nothingSecret() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await open.set("correct horse", named: "wallet")
        try await device.bind(profile.id, in: open)
        let text = try await device.registry.json().written
        for secret in [TestPin.right, "correct", "wallet", "password", "salt"] { #expect(!text.contains(secret)) }
    }

    @Test("Concurrent changes are all kept", arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        let place = kind.make()
        let device = SharedDevice(registry: place.store)
        let alice = try await device.register("Alice").profile
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask {
                    do {
                        try await device.register("Person \(index)")
                        try await device.profiles.setPinPolicy(
                            try PinPolicy(lengths: 4...(4 + index % 8)), for: alice.id)
                        return true
                    } catch {
                        Issue.record(error)
                        return false
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(!outcomes.contains(false))
        let all = try await device.profiles.all()
        #expect(all.count == 21)
        #expect(Set(all.map(\.name.rawValue)) == Set(["Alice"] + (0..<20).map { "Person \($0)" }))
        #expect(all.allSatisfy { $0.pinLength == 6 })
    }
}
