import SwiftUI

/// Shows a new recovery phrase once, and lets it open the vault.
struct PhraseSetUpScreen: View {
    let account: Account
    @State private var setUp: PhraseSetUp

    init(of account: Account) {
        self.account = account
        _setUp = State(initialValue: PhraseSetUp(of: account))
    }

    var body: some View {
        List {
            NoticeSection(work: setUp.work, carryOut: account.carryOut)
            switch setUp.step {
            case .intention: intention
            case .words(let words): list(of: words)
            case .check(let positions): check(positions)
            case .done: Label("The phrase opens your vault now.", systemImage: "checkmark.circle")
            }
        }
        .navigationTitle("Recovery phrase")
        .onDisappear { setUp.leave() }
    }

    @ViewBuilder
    private var intention: some View {
        Section {
            Text("After too many wrong PINs, only twelve words open your vault. Write them on paper, and keep it safe.")
            Text("Anyone who has the words has your secrets. A new phrase replaces an earlier one.")
        }
        Section { Button("Show the words") { setUp.showWords() } }
    }

    @ViewBuilder
    private func list(of words: [String]) -> some View {
        Section {
            ForEach(words.indices, id: \.self) { index in
                LabeledContent("\(index + 1)", value: words[index]).privacySensitive()
            }
        } footer: {
            Text("The words are shown only now.")
        }
        Section { Button("I have written them down") { setUp.beginCheck() } }
    }

    @ViewBuilder
    private func check(_ positions: [Int]) -> some View {
        Section {
            ForEach(positions.indices, id: \.self) { index in
                TextField("Word \(positions[index])", text: $setUp.answers[index])
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
            }
        } footer: {
            Text("Enter these words from your note.")
        }
        Section {
            Button("Use this phrase") { Task { await setUp.finish() } }.disabled(setUp.work.isRunning)
        }
    }
}
