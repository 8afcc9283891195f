import Foundation
import Nightlatch
import NightlatchWire
import Testing

@Suite("Error texts for users")
struct ErrorStringsTests {
    static let advice: [Advice] = [
        .tryAgain, .tryLater(after: nil), .tryLater(after: .seconds(300)), .askForPin, .signIn, .askForPhrase,
        .bindAgain, .checkNetwork, .freeSpace, .updateApp, .restoreAccess, .defect(code: "a-b"),
    ]

    @Test(
        "Every language has a distinct sentence for every summary and advice, and shares none with another",
        arguments: [0, 1, 2])
    func complete(_ language: Int) {
        let strings = ErrorStrings.all[language]
        let texts = ErrorSummary.all.map { strings[$0] } + Self.advice.dropLast().map { strings[$0] }
        for text in texts { #expect(text.hasSuffix("."), "\(strings.language): \(text)") }
        #expect(Set(texts).count == texts.count, "\(strings.language) says two things in the same words")
        for other in ErrorStrings.all where other.language != strings.language {
            let theirs = ErrorSummary.all.map { other[$0] } + Self.advice.map { other[$0] }
            #expect(Set(texts).isDisjoint(with: theirs), "\(strings.language) and \(other.language)")
        }
        #expect(strings[.nothing] == "")
        #expect(strings[.defect(code: "a-b")].hasSuffix(" a-b"))
    }

    @Test(
        "The text of a wrong PIN contains the attempts left and the wait",
        arguments: [
            ("en-GB", "Wrong PIN. 2 attempts left. Try again in 1 minute 30 seconds."),
            ("de-AT", "Falsche PIN. Noch 2 Versuche. Versuchen Sie es in 1 Minute 30 Sekunden noch einmal."),
            ("fr-CA", "Code PIN incorrect. 2 essais restants. Réessayez dans 1 minute 30 secondes."),
            ("nl", "Wrong PIN. 2 attempts left. Try again in 1 minute 30 seconds."),
        ])
    func sentence(language: String, sentence: String) {
        let error = UnlockError.refused(.wrong(triesLeft: 2, wait: .seconds(90)))
        #expect(error.text(in: .matching([language])) == sentence)
    }

    @Test("The localizedDescription of any error contains what happened and what to do")
    func localizedError() {
        let error: any Error = LoginError.relyingParty(.unreachable(reason: "connection refused"))
        #expect(error.localizedDescription == LoginError.relyingParty(.unreachable(reason: "")).text())
        #expect(ErrorStrings.english[.unreachable] == "The service does not answer.")
        let advised = error as? any AdvisedError
        #expect(advised?.failureReason == ErrorStrings.ofApp[.unreachable])
        #expect(advised?.recoverySuggestion == ErrorStrings.ofApp[.checkNetwork])
        #expect(LoginError.relyingParty(.cancelled).recoverySuggestion == nil)
    }

    @Test("An app's own text replaces a summary and keeps the advice")
    func replacing() {
        let strings = ErrorStrings.english.replacing { $0 == .unreachable ? "Night Bank does not answer." : nil }
        #expect(
            RelyingPartyError.unreachable(reason: "").text(in: strings)
                == "Night Bank does not answer. Check the network connection and try again.")
        #expect(RelyingPartyError.cancelled.text(in: strings) == "Cancelled.")
    }
}
