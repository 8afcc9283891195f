import Foundation
import Nightlatch
import Observation

/// Sets up a recovery phrase: shows it once, checks that the user has written it down, and asks for the PIN.
@MainActor @Observable
final class PhraseSetUp {
    enum Step: Hashable {
        /// Says what the phrase is for.
        case intention
        /// Shows the words.
        case words([String])
        /// Asks for the words at these positions, which begin at 1.
        case check([Int])
        case done
    }

    private(set) var step = Step.intention
    /// The typed words of the check.
    var answers = ["", "", ""]
    let work = Work()
    private let account: Account
    // Not observed: a phrase cannot be copied.
    @ObservationIgnored private var phrase: RecoveryPhrase?

    init(of account: Account) { self.account = account }

    func showWords() {
        let phrase = RecoveryPhrase.random()
        var words: [String] = []
        for position in phrase.positions { words.append(phrase.word(at: position)) }
        step = .words(words)
        self.phrase = consume phrase
    }

    func beginCheck() {
        guard case .words(let words) = step else { return }
        answers = ["", "", ""]
        step = .check(Array(Array(1...words.count).shuffled().prefix(answers.count)).sorted())
    }

    /// Compares the typed words. If they are right, asks for the PIN and lets the phrase open the vault.
    func finish() async {
        guard case .check(let positions) = step, let phrase = phrase.take() else { return }
        var isRight = true
        for (position, answer) in zip(positions, answers) where phrase.word(at: position) != typedWord(answer) {
            isRight = false
        }
        self.phrase = consume phrase
        await work.run(asking: account.pad) {
            guard isRight else {
                work.notice = Notice("These are not the words of the phrase. Compare them with your note.")
                return
            }
            try await setUp()
        }
    }

    /// The PIN is needed, even if biometrics have opened the screen: a phrase replaces the PIN.
    private func setUp() async throws {
        let unlocked = try await account.service(order: .pinOnly).unlock(reason: "Set up your recovery phrase")
        switch unlocked.outcome {
        case .unlocked(let vault, by: _):
            guard let phrase = phrase.take() else { return await vault.lock() }
            do {
                try await vault.setUpRecovery(phrase)
                step = .done
            } catch {
                self.phrase = consume phrase
                await vault.lock()
                throw error
            }
            await vault.lock()
        case .cancelled, .waiting: break
        case .blocked, .erased, .missing: account.unlockAgain()
        }
    }

    private func typedWord(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    /// Discards the phrase, because the screen goes.
    func leave() {
        phrase = nil
        (step, answers) = (.intention, ["", "", ""])
    }
}
