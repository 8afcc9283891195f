import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Synchronization
import Testing

/// A fleet whose servers have a file for a second master key, and the rotation of their master key.
struct RotatingFleet: Sendable {
    let fleet: ServerFleet
    private let keys: TemporaryFolder
    /// The file of the new key that the command gets.
    var newKey: String { keys.path + "/new.key" }
    private var otherKey: String { keys.path + "/other.key" }

    /// Calls `body` with servers whose second master key is not the new one yet.
    static func with(_ kind: ServerFleet.Kind, _ body: (RotatingFleet) async throws -> Void) async throws {
        let keys = try TemporaryFolder()
        _ = try MasterKey.loadOrCreate(at: keys.path + "/other.key")
        let options = ["--guess-limit", "100", "--other-master-key-file", keys.path + "/other.key"]
        try await ServerFleet.with(kind, options: options) { fleet in
            try await body(RotatingFleet(fleet: fleet, keys: keys))
        }
    }

    var arguments: [String] {
        [
            "admin", "rotate-master-key", "--database", fleet.databaseAddress, "--master-key-file", oldKey,
            "--new-master-key-file", newKey,
        ]
    }

    /// A copy of the first master key, which the servers' files lose at the end.
    var oldKey: String { keys.path + "/old.key" }

    func status() async throws -> String {
        try await Nightlatch.run(["admin", "rotate-master-key", "--status", "--database", fleet.databaseAddress]).output
    }

    /// Keeps a copy of the first master key.
    func keepOldKey() throws {
        try FileManager.default.copyItem(atPath: fleet.folder.path + "/0/master.key", toPath: oldKey)
    }

    /// Gives all servers the new key beside the old one, and restarts them one after another.
    func learnNewKey() async throws {
        try replace(otherKey, by: newKey)
        for number in fleet.servers.indices {
            #expect(try await fleet.stop(number) == 0)
            try await fleet.restart(number)
        }
    }

    /// Restarts all servers with only the key in `file`.
    func restart(withOnly file: String) async throws {
        try replace(otherKey, by: file)
        for number in fleet.servers.indices {
            _ = try await fleet.stop(number)
            try replace(fleet.folder.path + "/\(number)/master.key", by: file)
            try await fleet.restart(number)
        }
    }

    private func replace(_ file: String, by source: String) throws {
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: source, toPath: file)
    }

    /// Uses the phones at some servers, one after another, until `body` has returned. No use may fail.
    func load(
        _ phones: inout [RotatedPhone], at numbers: [Int], while body: () async throws -> Void
    ) async throws {
        let start = phones
        let addresses = numbers.map { fleet.addresses[$0] }
        let isOver = LoadEnd()
        async let used = Self.use(start, at: addresses, until: isOver)
        do {
            try await body()
        } catch {
            isOver.set()
            throw error
        }
        isOver.set()
        phones = try await used
    }

    private static func use(
        _ phones: [RotatedPhone], at addresses: [Issuer], until isOver: LoadEnd
    ) async throws -> [RotatedPhone] {
        var phones = phones
        // Ends: when the load is over. Each phone is used at least once.
        repeat {
            for index in phones.indices { try await phones[index].use(at: addresses[index % addresses.count]) }
        } while !isOver.isSet
        return phones
    }

    private final class LoadEnd: Sendable {
        private let value = Atomic<Bool>(false)

        var isSet: Bool { value.load(ordering: .acquiring) }

        func set() { value.store(true, ordering: .releasing) }
    }
}
