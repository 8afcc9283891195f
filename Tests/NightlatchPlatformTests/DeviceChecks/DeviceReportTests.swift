import DeviceChecks
import Foundation
import Nightlatch
import NightlatchTesting
import Testing

@Suite("The report and the list of the device checks")
struct DeviceReportTests {
    private let device = CheckedDevice()

    private static func file(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("The checks are the rows of the table in docs/apple.md, with the same words and in the same order")
    func table() throws {
        let lines = try Self.file("docs/apple.md").components(separatedBy: "\n")
        let head = try #require(lines.firstIndex(of: "| assumption | if it does not hold |"))
        let rows = lines[(head + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == Assumption.allCases.map { "| \($0.text) | \($0.consequence) |" })
    }

    @Test("The report of README.md is read and written as it is there")
    func example() throws {
        let page = try Self.file("Examples/DeviceChecks/README.md")
        let json = try #require(page.components(separatedBy: "```json\n").last?.components(separatedBy: "\n```").first)
        let report = try JSONDecoder().decode(DeviceReport.self, from: Data(json.utf8))
        #expect(try String(decoding: report.json(), as: UTF8.self) == json)
        for check in report.checks { #expect(check.checkState != nil) }
        for assumption in Assumption.allCases { #expect(page.contains("| `\(assumption.rawValue)` |")) }
    }

    @Test("The report has every check in order, with what was seen and when, and none of the notes of a waiting check")
    func report() async throws {
        let runner = device.runner
        _ = await runner.perform(.run, on: .keychainSize)
        _ = await runner.perform(.run, on: .changedEnrolment)
        let report = try await runner.report()
        #expect(report.format == 1)
        #expect(report.device == CheckedDevice.description)
        #expect(report.time == "2027-01-15T08:00:00Z")
        #expect(report.checks.map(\.id) == Assumption.allCases)
        let checks = Dictionary(uniqueKeysWithValues: report.checks.map { ($0.id, $0) })
        #expect(
            checks[.keychainSize]?.checkState
                == .done(.held, ["largest_kept": "1048564"], time: "2027-01-15T08:00:00Z"))
        #expect(checks[.changedEnrolment]?.checkState == .waiting(.changeEnrolment))
        #expect(checks[.changedEnrolment]?.facts == nil)
        #expect(checks[.restore]?.checkState == .notRun)
        #expect(try JSONDecoder().decode(DeviceReport.self, from: try report.json()) == report)
    }

    @Test(
        "A state that contradicts itself is none",
        arguments: [
            #"{"id":"keychain.swap","state":"held"}"#,
            #"{"id":"keychain.swap","state":"held","facts":{},"time":"t","step":"remove_app"}"#,
            #"{"id":"keychain.swap","state":"waiting"}"#,
            #"{"id":"keychain.swap","state":"not_run","facts":{}}"#,
            #"{"id":"keychain.swap","state":"not_run","step":"remove_app"}"#,
            #"{"id":"keychain.swap","state":"unknown"}"#,
        ])
    func contradiction(json: String) throws {
        #expect(try JSONDecoder().decode(DeviceReport.Check.self, from: Data(json.utf8)).checkState == nil)
    }

    @Test("A new run drops the earlier result, and an undecided one keeps it")
    func secondRun() async {
        let runner = device.runner
        _ = await runner.perform(.run, on: .keychainSize)
        device.state.withLock { $0.date = Date(timeIntervalSince1970: 1_800_000_060) }
        let second = await runner.perform(.run, on: .keychainSize)
        guard case .done(_, _, let time) = second.row(.keychainSize)?.state else {
            Issue.record("no result")
            return
        }
        #expect(time == "2027-01-15T08:01:00Z")
        device.device.model.set { $0.acts = [.isRecognised, .isRecognised, .cancels] }
        _ = await runner.perform(.run, on: .onePrompt)
        _ = await runner.perform(.yes, on: .onePrompt)
        #expect(await runner.perform(.run, on: .onePrompt).verdict(.onePrompt) == .held)
    }

    @Test("Every text of the list is shown without Markdown, and every state has a title and a symbol")
    func texts() {
        for assumption in Assumption.allCases {
            #expect(!Assumption.plain(assumption.text + assumption.consequence).contains("`"))
        }
        #expect(Set(Assumption.Section.allCases.flatMap(\.assumptions)) == Set(Assumption.allCases))
        let states = Verdict.allCases.map { CheckState.done($0, [:], time: "") } + [.notRun, .waiting(.removeApp)]
        #expect(Set(states.map(\.title)).count == 5)
        #expect(Set(states.map(\.symbol)).count == 5)
    }

    @Test("A journal that cannot be read is reported and not replaced")
    func damagedJournal() async throws {
        _ = await device.runner.perform(.run, on: .keychainSize)
        device.device.keychain.plant { items in
            for index in items.indices { items[index].value[12] = 0 }
        }
        let damaged = device.device.keychain.items
        let overview = await device.runner.perform(.run, on: .keychainSize)
        #expect(overview.problem != nil)
        #expect(device.device.keychain.items == damaged)
        await #expect(throws: StoreError.self) { _ = try await device.runner.report() }
    }
}
