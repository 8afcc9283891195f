import Foundation
import NightlatchWire
import Testing

/// One server and a receiver in Python, which checks the signatures with other libraries.
@Suite("Webhooks and a receiver that is not ours", .timeLimit(.minutes(10)))
struct WebhookTests {
    private let folder: TemporaryFolder
    private let receiver: WebhookReceiver

    init() throws {
        folder = try TemporaryFolder()
        receiver = try WebhookReceiver(in: folder.path + "/receiver")
    }

    private func database(_ server: ServerProcess) -> [String] {
        ["--database", "sqlite:\(server.folder)/nightlatch.sqlite"]
    }

    private func add(
        _ path: String, events: String..., signature: String = "hmac-sha256", at server: ServerProcess
    ) async throws -> AddedWebhook {
        let webhook: AddedWebhook = try await AddedWebhook.command(
            ["add", "--url", receiver.url(path), "--plain-http", "--name", path, "--signature", signature, "--events"]
                + events + database(server) + ["--master-key-file", server.folder + "/master.key"])
        #expect(webhook.state == "active")
        return webhook
    }

    /// Waits for the effect of the event about a user.
    private func effect(of user: String, at path: String) async throws -> WebhookReceiver.Effect {
        func found() throws -> WebhookReceiver.Effect? {
            try receiver.effects(at: path).first { $0.event.data.user == user }
        }
        try await WebhookReceiver.wait(for: "the effect of \(user) at \(path)") { try found() != nil }
        return try #require(try found())
    }

    private func waitForEffects(_ count: Int, at path: String) async throws -> [WebhookReceiver.Effect] {
        try await WebhookReceiver.wait(for: "\(count) effects at \(path)") {
            try receiver.effects(at: path).count >= count
        }
        return try receiver.effects(at: path)
    }

    @Test(
        "The receiver verifies events with both kinds of signature, before, during and after a rotation of the secret")
    func signatures() async throws {
        try await receiver.run {
            try await ServerProcess.run(in: folder) { server in
                let hmac = try await add("/hmac", events: "enrolment_code_created", at: server)
                let ed = try await add("/ed", events: "enrolment_code_created", signature: "ed25519", at: server)
                #expect(hmac.key.hasPrefix("whsec_") && ed.key.hasPrefix("whpk_"))
                var keys = ["/hmac": [hmac.key], "/ed": [ed.key]]
                try receiver.setKeys(keys)
                _ = try await server.code(for: "alice")
                for path in keys.keys {
                    let first = try await effect(of: "alice", at: path)
                    #expect(first.event.type == "enrolment_code_created")
                    #expect(first.signatures.split(separator: " ").count == 1)
                }
                for (path, old) in [("/hmac", hmac), ("/ed", ed)] {
                    let new: AddedWebhook = try await AddedWebhook.command(
                        ["rotate-secret", old.id] + database(server)
                            + ["--master-key-file", server.folder + "/master.key"])
                    #expect(new.key != old.key)
                    // The receiver knows the old key, and then only the new one.
                    _ = try await server.code(for: "before" + path)
                    let before = try await effect(of: "before" + path, at: path)
                    #expect(before.signatures.split(separator: " ").count == 2)
                    keys[path] = [new.key]
                    try receiver.setKeys(keys)
                    _ = try await server.code(for: "after" + path)
                    _ = try await effect(of: "after" + path, at: path)
                }
                #expect(try receiver.faults() == [])
            }
        }
    }

    @Test("Refusals, redirects, resets, long answers and a receiver that hangs lose no event, and repeat no effect")
    func refusals() async throws {
        try receiver.setMode("500 302 reset huge accept_late hang accept")
        try await receiver.run {
            try await ServerProcess.run(in: folder) { server in
                let webhook = try await add("/all", events: "enrolment_code_created", at: server)
                try receiver.setKeys(["/all": [webhook.key]])
                let users = (0..<6).map { "user-\($0)" }
                for user in users { _ = try await server.code(for: user) }
                let effects = try await waitForEffects(6, at: "/all")
                try await waitUntilDelivered(webhook, at: server)
                #expect(Set(effects.compactMap(\.event.data.user)) == Set(users))
                #expect(try receiver.effects(at: "/all").count == 6)
                // In particular, no redirect was followed.
                #expect(try receiver.faults() == [])
            }
        }
    }

    @Test("A receiver that answers 200 and never ends its answer gets each event once")
    func slowAnswer() async throws {
        try receiver.setMode("slow unexpected")
        try await receiver.run {
            try await ServerProcess.run(in: folder) { server in
                let webhook = try await add("/slow", events: "enrolment_code_created", at: server)
                try receiver.setKeys(["/slow": [webhook.key]])
                for user in ["alice", "bob"] { _ = try await server.code(for: user) }
                try await waitUntilDelivered(webhook, at: server)
                #expect(try receiver.effects(at: "/slow").count == 2)
                #expect(try receiver.faults() == [])
            }
        }
    }

    @Test("An operator tests, pauses and resumes a webhook, and sees or skips what waits; one answer of 410 pauses nothing")
    func operation() async throws {
        try await receiver.run {
            try await ServerProcess.run(in: folder) { server in
                let webhook = try await add("/shop", events: "enrolment_code_created", at: server)
                try receiver.setKeys(["/shop": [webhook.key]])
                func run(_ arguments: String...) async throws -> Outcome {
                    try await Nightlatch.run(["admin", "webhooks"] + arguments + database(server))
                }
                #expect(try await run("test", webhook.id).status == 0)
                #expect(try await waitForEffects(1, at: "/shop").map(\.event.type) == ["webhook_tested"])
                #expect(try await run("pause", webhook.id).output.contains("paused"))
                _ = try await server.code(for: "alice")
                let list = try await run("list").output
                #expect(list.contains(webhook.id) && list.contains("paused") && !list.contains(webhook.key))
                #expect(try await run("deliveries", webhook.id).output.split(separator: "\n").count == 2)
                #expect(try await run("deliveries", webhook.id, "--dead").output.split(separator: "\n").count == 1)
                try receiver.setMode("410 accept")
                #expect(try await run("resume", webhook.id).output.contains("active"))
                #expect(try await waitForEffects(2, at: "/shop").last?.event.data.user == "alice")
                #expect(try await run("list").output.contains("active"))
                #expect(try await run("redeliver", webhook.id).output == "0 events will be delivered again\n")
                #expect(try await run("pause", webhook.id).status == 0)
                for user in ["bob", "carol"] { _ = try await server.code(for: user) }
                let number = try #require(
                    try await run("deliveries", webhook.id).output.split(separator: "\n").dropFirst().first?
                        .split(separator: " ").first.map(String.init))
                #expect(try await run("discard", webhook.id).output == "0 events deleted\n")
                #expect(try await run("discard", webhook.id, "--number", number).output == "1 event deleted\n")
                #expect(try await run("resume", webhook.id).status == 0)
                #expect(try await waitForEffects(3, at: "/shop").last?.event.data.user == "carol")
                #expect(try await run("remove", webhook.id).status == 0)
                #expect(try await run("test", webhook.id).status == 1)
                #expect(try receiver.faults() == [])
            }
        }
    }

    @Test(
        "A mistake in a command is refused, and nothing is added",
        arguments: [
            (["--url", "http://127.0.0.1:9/", "--events", "all"], "--plain-http"),
            (["--url", "http://shop.example/", "--plain-http", "--events", "all"], "https URL"),
            (["--url", "https://user@shop.example/", "--events", "all"], "without user information"),
            (["--url", "https://shop.example/", "--events", "logged_in", "no_such"], "no event “no_such”"),
            (["--url", "https://shop.example/"], "--events"),
            (["--url", "https://shop.example/", "--events", "all", "--signature", "rsa"], "--signature"),
        ])
    func mistakes(options: [String], reason: String) async throws {
        let outcome = try await Nightlatch.run(["admin", "webhooks", "add", "--name", "x"] + options)
        #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(outcome.errors)")
    }

    private func waitUntilDelivered(_ webhook: AddedWebhook, at server: ServerProcess) async throws {
        try await WebhookReceiver.wait(for: "all deliveries") {
            try await Nightlatch.run(["admin", "webhooks", "deliveries", webhook.id] + database(server)).output
                .split(separator: "\n").count == 1
        }
    }
}
