#if os(Linux)
import Foundation
import Glibc
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// An app and its extensions share one registry.
@Suite("Profiles in several processes")
struct ProfileProcessTests {
    private let folder = TemporaryFolder()

    @Test("Processes that register, rename and deregister at the same time lose nothing")
    func atOnce() async throws {
        let path = folder.path
        await withTaskGroup { group in
            for process in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
                        let profiles = ProfileProcessTests.profiles(in: path)
                        for round in 0..<5 {
                            let person = ScriptedPerson(creating: [.pin("482915")])
                            guard
                                case .registered(let profile, _) = try await profiles.register(
                                    ProfileName(unchecked: "Person"), prompt: person)
                            else { preconditionFailure("not registered") }
                            try await profiles.rename(
                                profile.id, to: ProfileName(unchecked: "Person \(process) \(round)"))
                            if round == 4 { try await profiles.deregister(profile.id) }
                        }
                    }
                }
            }
        }
        let profiles = Self.profiles(in: path)
        #expect(try await profiles.resume().isEmpty)
        let all = try await profiles.all()
        let names = (0..<4).flatMap { process in (0..<4).map { "Person \(process) \($0)" } }
        #expect(all.map(\.name.rawValue).sorted() == names)
        for profile in all { #expect(try await profiles.vault(of: profile).state() == .ready(triesLeft: 10)) }
    }

    @Test(
        "After a process is killed while it registers and deregisters, the next start repairs the state",
        arguments: 0..<5)
    func killed(round: Int) async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let profiles = ProfileProcessTests.profiles(in: path)
            let worker = Task {
                while true {
                    let person = ScriptedPerson(creating: [.pin("482915")])
                    guard
                        case .registered(let profile, _) = try await profiles.register(
                            ProfileName(unchecked: "Person"), prompt: person)
                    else { preconditionFailure("not registered") }
                    try await profiles.deregister(profile.id)
                }
            }
            // The process is killed at any point of its work, later in each round.
            let registry = FileStore(path: path + "/profiles")
            while try await registry.read()?.revision ?? 0 < UInt64(2 + 3 * round) { await Task.yield() }
            kill(getpid(), SIGKILL)
            try await worker.value
        }
        let profiles = Self.profiles(in: path)
        let listed = try await profiles.all()
        let resumed = try await profiles.resume()
        #expect(resumed.allSatisfy { $0.failure == nil && $0.cause != .vaultErased })
        #expect(listed.count + resumed.count <= 1)
        for profile in listed { try await profiles.deregister(profile.id) }
        #expect(try await profiles.all().isEmpty)
        // Lock files contain nothing, and cannot be removed while other processes may wait for them.
        let left = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".lock") }
        #expect(left.filter { $0.contains(".vault") } == [])
    }

    static func profiles(in path: String) -> Profiles {
        Profiles(registry: FileStore(path: path + "/profiles"), deviceKeys: nil) { profile in
            Vault(
                store: FileStore(path: "\(path)/\(profile.id).vault"), clock: ManualClock(),
                configuration: VaultConfiguration(
                    keyDerivation: .cheap, keyDerivationBounds: .forTests))
        }
    }
}
#endif
