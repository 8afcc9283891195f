import Foundation
import SwiftUI

/// All checks, in sections, and the export of the report.
struct ChecksView: View {
    let model: ChecksModel

    var body: some View {
        NavigationStack {
            List {
                Section {
                    Button("Run all checks that need no help") { Task { await model.runAll() } }
                        .disabled(model.isRunning)
                    if let report = model.report { ShareLink("Export the report", item: report) }
                    if model.isRunning { ProgressView() }
                    if let problem = model.overview.problem { Text(verbatim: problem).foregroundStyle(.red) }
                    if let problem = model.reportProblem { Text(verbatim: problem).foregroundStyle(.red) }
                }
                ForEach(Assumption.Section.allCases) { section in
                    Section(section.rawValue) {
                        ForEach(model.overview.rows(in: section)) { CheckView(row: $0, model: model) }
                    }
                }
            }
            .navigationTitle("Device checks")
        }
    }
}

/// One check: its state, what was seen, the meaning of a failure, and the actions of the user.
struct CheckView: View {
    let row: CheckRow
    let model: ChecksModel

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text(verbatim: Assumption.plain(row.assumption.text)).font(.body)
            Label {
                Text(verbatim: row.state.title)
            } icon: {
                Image(systemName: row.state.symbol)
            }
            ForEach(row.state.facts) { LabeledContent($0.name, value: $0.value) }
            VStack(alignment: .leading) {
                Text("If it does not hold:")
                Text(verbatim: Assumption.plain(row.assumption.consequence))
            }
            .foregroundStyle(Color.secondary)
            if let instruction = row.state.instruction { Text(verbatim: instruction) }
            if let problem = row.problem { Text(verbatim: problem).foregroundStyle(.red) }
            ForEach(row.actions, id: \.self) { action in
                Button(action.title) { Task { await model.perform(action, on: row.assumption) } }
                    .buttonStyle(.borderless)
                    .disabled(model.isRunning)
            }
        }
    }
}
