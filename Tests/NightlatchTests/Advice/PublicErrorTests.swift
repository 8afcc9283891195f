import Foundation
import Nightlatch
import Testing

@Suite("Advice of every public error")
struct PublicErrorTests {
    /// Errors that an app never gets: those of a function below the core, which the core turns into
    /// `KeyDerivationFailure`, and those of an adapter's conformance check.
    static let exceptions: Set = ["ConformanceFailure", "Failure", "MemoryUnavailable"]

    static let sources: [(file: String, text: String)] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
            ($0.lastPathComponent, (try? String(contentsOf: $0, encoding: .utf8)) ?? "")
        }
    }()

    @Test("Each public error type conforms to AdvisedError, and so has texts in each language")
    func conformance() throws {
        let declaration = try Regex(
            #"(?m)^ *public (?:indirect )?(?:enum|struct) (\w+)(?:<[^>]*>)?: (?:\w+, )*Error\b"#,
            as: (Substring, Substring).self)
        let conformance = try Regex(#"(?m)^extension (\w+): AdvisedError\b"#, as: (Substring, Substring).self)
        let errors = Set(Self.sources.flatMap { $0.text.matches(of: declaration).map { String($0.output.1) } })
        let advised = Set(Self.sources.flatMap { $0.text.matches(of: conformance).map { String($0.output.1) } })
        #expect(errors.count > 45, "the sources were not found")
        #expect(errors.subtracting(advised) == Self.exceptions)
        #expect(advised.subtracting(errors) == [])
    }

    @Test("No public error has more than two levels")
    func depth() throws {
        let declaration = try Regex(
            #"(?m)^public (?:enum|struct) (\w+)(?:<[^>]*>)?: (?:\w+, )*Error\b[^{]*\{\n((?:.*\n)*?)\}"#,
            as: (Substring, Substring, Substring).self)
        let member = try Regex(#"(?m)^ +(?:case (\w.*)|public (?:let|var) \w+: (.*))$"#)
        var bodies: [String: Substring] = [:]
        for (_, text) in Self.sources {
            for match in text.matches(of: declaration) { bodies[String(match.output.1)] = match.output.2 }
        }
        #expect(bodies.count > 40, "the sources were not found")
        let held = bodies.mapValues { body in
            Set(body.matches(of: member).flatMap { body[$0.range].split { !$0.isLetter } }.map(String.init))
                .filter { bodies[$0] != nil }
        }
        for (error, parts) in held {
            for part in parts { #expect(held[part] == [], "\(error) contains \(part), which contains another error") }
        }
    }

    @Test("No guidance has a default case, so the compiler requires advice for a new case")
    func noDefault() {
        let files = Self.sources.filter { $0.file.hasSuffix("+Advice.swift") }
        #expect(files.count > 10)
        for (file, text) in files { #expect(!text.contains("default:"), "\(file)") }
    }

    @Test("An error takes its cause from its guidance, except for those whose causes AdviceTests compares")
    func causes() throws {
        let files = Self.sources.filter { $0.text.contains("public var cause: (any AdvisedError)?") }
        #expect(
            Set(files.map(\.file)) == [
                "AdvisedError.swift", "BiometricLoginError.swift", "RegistryError.swift", "VaultError.swift",
            ])
    }

    @Test("No two cases have the same defect code")
    func codes() throws {
        let code = try Regex(#"(?:\.defect\(|defect\(code: )"([^"]+)""#, as: (Substring, Substring).self)
        let files = Self.sources.filter { $0.file.hasSuffix("+Advice.swift") }
        let codes = files.flatMap { $0.text.matches(of: code).map { String($0.output.1) } }
        #expect(codes.count > 20)
        #expect(Set(codes).count == codes.count, "\(codes.sorted())")
    }
}
