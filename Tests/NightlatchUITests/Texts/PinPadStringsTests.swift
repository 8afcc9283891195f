import Nightlatch
import NightlatchUI
import Testing

@Suite("Texts of the pad")
struct PinPadStringsTests {
    /// Every text, some with several numbers.
    static let texts: [PinPadText] = {
        let titles: [PinPadDisplay.Title] =
            [
                .idle, .enterPin(.changePin), .choosePin(.registration), .choosePin(.changePin),
                .choosePin(.replaceLostPin), .repeatPin, .reallyForgotten,
            ] + ends.map(PinPadDisplay.Title.ended)
        let objections =
            CommonPinKind.allCases.map(PinObjection.common) + [
                .length(allowed: 6...6), .length(allowed: 4...8), .sameAsCurrent,
            ]
        let failures: [BiometricError] =
            [.notRecognised, .enrolmentChanged, .interrupted, .corrupt, .failed(systemStatus: -4)]
            + BiometricAvailability.allCases.map(BiometricError.unavailable)
        let messages: [PinPadDisplay.Message] =
            [.wrong(triesLeft: 3), .tooSoon, .mismatch, .refused(objections)]
            + failures.map(PinPadDisplay.Message.biometrics)
        let keys: [PinPadKey] = [.delete, .submit, .biometrics, .cancel, .forgotten, .giveUp]
        var texts: [PinPadText] = titles.map(PinPadText.title)
        texts += messages.map(PinPadText.message)
        texts += objections.map(PinPadText.objection)
        texts += keys.map(PinPadText.key)
        texts += [0, 1, 2, 7].map(PinPadText.triesLeft)
        texts += [1, 61, 3661, 90_061, 172_800].map { .countdown(WaitTime(.seconds($0))) }
        texts += LockoutEnd.allCases.map(PinPadText.lastAttempt)
        texts += [1, 2].map(PinPadText.newPayments)
        texts.append(.newPayment(amount: "129.90 EUR", payee: "Night Train Ltd"))
        texts += [.countdownIsOver, .circles, .entered(2, of: 6), .entered(2, of: nil), .checking, .unlock]
        return texts
    }()
    static let ends: [PinPadEnd] = [
        .unlocked, .pinSet, .cancelled, .blocked(.newCredentials), .blocked(.recoveryPhrase), .erased, .missing,
        .failed,
    ]

    @Test("Every language has every text, and shares none with another")
    func complete() {
        for strings in PinPadStrings.all {
            for text in Self.texts { #expect(!strings[text].isEmpty, "\(strings.language): \(text)") }
            for end in [PinPadEnd.blocked(.newCredentials), .blocked(.recoveryPhrase), .erased, .missing, .failed] {
                #expect(!strings[.detail(.ended(end))].isEmpty, "\(strings.language): \(end)")
            }
        }
        // Texts that two of these languages share.
        let shared: Set<PinPadText> = [.circles]
        for text in Self.texts where !shared.contains(text) {
            let said = Set(PinPadStrings.all.map { $0[text] })
            #expect(said.count == PinPadStrings.all.count, "\(text): \(said)")
        }
    }

    @Test(
        "Numbers have the right form in every language",
        arguments: [
            ("en", ["0 attempts left.", "1 attempt left.", "2 attempts left."], "1 digit entered", "2 digits entered"),
            (
                "de", ["Noch 0 Versuche.", "Noch 1 Versuch.", "Noch 2 Versuche."], "1 Ziffer eingegeben",
                "2 Ziffern eingegeben"
            ),
            (
                "fr", ["0 essai restant.", "1 essai restant.", "2 essais restants."], "1 chiffre saisi",
                "2 chiffres saisis"
            ),
        ])
    func plurals(language: String, tries: [String], one: String, two: String) {
        let strings = PinPadStrings.matching([language])
        #expect((0...2).map { strings[.triesLeft($0)] } == tries)
        #expect(strings[.entered(1, of: nil)] == one && strings[.entered(2, of: nil)] == two)
    }

    @Test(
        "The countdown is a sentence in every language",
        arguments: [
            ("en", 1, "Try again in 1 second."), ("en", 90, "Try again in 1 minute 30 seconds."),
            ("en", 7200, "Try again in 2 hours."), ("en", 180_000, "Try again in 2 days 2 hours."),
            ("de", 1, "Nächster Versuch in 1 Sekunde."), ("de", 90, "Nächster Versuch in 1 Minute 30 Sekunden."),
            ("de", 90_000, "Nächster Versuch in 1 Tag 1 Stunde."),
            ("de", 180_000, "Nächster Versuch in 2 Tagen 2 Stunden."),
            ("fr", 1, "Réessayez dans 1 seconde."), ("fr", 90, "Réessayez dans 1 minute 30 secondes."),
            ("fr", 180_000, "Réessayez dans 2 jours 2 heures."),
        ])
    func countdown(language: String, seconds: Int, sentence: String) {
        #expect(PinPadStrings.matching([language])[.countdown(WaitTime(.seconds(seconds)))] == sentence)
    }

    @Test(
        "The most preferred existing language is used, and English otherwise",
        arguments: [
            (["de"], "de"), (["de-AT", "en"], "de"), (["fr_CA"], "fr"), (["FR"], "fr"), (["ja", "fr-CH", "en"], "fr"),
            (["en-GB", "de"], "en"), (["ja"], "en"), ([], "en"), (["den"], "en"), ([""], "en"),
        ])
    func matching(languages: [String], language: String) {
        #expect(PinPadStrings.matching(languages).language == language)
    }

    @Test("An app replaces some texts, and the rest stays")
    func replacing() {
        let strings = PinPadStrings.german.replacing { $0 == .title(.idle) ? "Nachtbank" : nil }
        #expect(strings[.title(.idle)] == "Nachtbank" && strings[.unlock] == "Entsperren" && strings.language == "de")
    }

    @Test("Every reason for refusing a PIN is shown")
    func refused() {
        let said = PinPadStrings.english[.message(.refused([.length(allowed: 6...8), .common(.date), .sameAsCurrent]))]
        #expect(said == "It must have 6 to 8 digits. It looks like a date. It is your current PIN.")
        for strings in PinPadStrings.all {
            #expect(strings[.message(.refused([.ofApp("It is your number.")]))] == "It is your number.")
        }
    }
}
