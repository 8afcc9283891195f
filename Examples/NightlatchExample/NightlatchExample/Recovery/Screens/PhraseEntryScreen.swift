import Nightlatch
import NightlatchUI
import SwiftUI

/// Asks for the recovery phrase of a blocked vault, then for a new PIN.
struct PhraseEntryScreen: View {
    /// Runs after the vault has a new PIN.
    private let recovered: @MainActor () -> Void
    @State private var entry: PhraseEntry
    @Environment(\.dismiss) private var dismiss

    init(_ profile: Profile, in bank: Bank, recovered: @escaping @MainActor () -> Void) {
        self.recovered = recovered
        _entry = State(initialValue: PhraseEntry(profile, in: bank))
    }

    var body: some View {
        ZStack {
            if entry.pad.isShown {
                PinPadView(entry.pad)
            } else {
                NavigationStack { form }
            }
        }
        .onDisappear { entry.leave() }
    }

    private var form: some View {
        Form {
            NoticeSection(work: entry.work)
            ForEach(entry.mistypedWords, id: \.position) { word in
                LabeledContent("Word \(word.position)", value: word.candidates.joined(separator: ", "))
            }
            Section {
                TextField("Your words", text: $entry.words, axis: .vertical)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                    .privacySensitive()
            } footer: {
                Text("Enter all words of your recovery phrase in order, with spaces between them.")
            }
            Button(entry.isUnproved ? "Continue nevertheless" : "Choose a new PIN") { recover() }
                .disabled(entry.words.isEmpty || entry.work.isRunning)
        }
        .navigationTitle("Recovery phrase")
        .toolbar {
            ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
        }
    }

    private func recover() {
        Task {
            guard await entry.recover() else { return }
            dismiss()
            recovered()
        }
    }
}
