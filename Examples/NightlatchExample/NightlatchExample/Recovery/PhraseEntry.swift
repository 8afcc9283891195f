import Nightlatch
import NightlatchUI
import Observation

/// Opens a vault with a blocked PIN: the user enters the recovery phrase and chooses a new PIN.
@MainActor @Observable
final class PhraseEntry {
    var words = ""
    /// For each mistyped word, the words that the user may have meant.
    private(set) var mistypedWords: [UnknownRecoveryWord] = []
    /// Whether nothing proves that the owner of the vault sealed it: see `RecoveryError.unauthenticated`. The user
    /// decides whether to continue.
    private(set) var isUnproved = false
    let pad = PinPadModel()
    let work = Work()
    private let bank: Bank
    private let profile: Profile

    init(_ profile: Profile, in bank: Bank) {
        self.profile = profile
        self.bank = bank
    }

    /// - Returns: Whether the vault has a new PIN.
    func recover() async -> Bool {
        var isRecovered = false
        mistypedWords = []
        await work.run(asking: pad) {
            do {
                let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(words.utf8)))
                let result = try await bank.service(of: profile, asking: pad)
                    .recover(with: phrase, acceptingUnauthenticated: isUnproved)
                guard case .changed(let vault) = result.outcome else { return }
                // The lock of the screen asks for the new PIN.
                await vault.lock()
                isRecovered = true
            } catch let error as RecoveryPhraseError {
                mistypedWords = error.unknownWords
                throw error
            } catch RecoveryError.unauthenticated {
                isUnproved = true
                throw RecoveryError.unauthenticated
            }
        }
        if isRecovered { leave() }
        return isRecovered
    }

    /// Discards the typed words and cancels a pending question, because the screen goes.
    func leave() {
        pad.withdraw()
        (words, mistypedWords, isUnproved) = ("", [], false)
    }
}

extension RecoveryPhraseError {
    fileprivate var unknownWords: [UnknownRecoveryWord] {
        switch self {
        case .wordCount(_, let unknown), .unknownWords(let unknown): unknown
        case .tooLong, .checksum: []
        }
    }
}
