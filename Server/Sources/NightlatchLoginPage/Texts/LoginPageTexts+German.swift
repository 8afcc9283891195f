import NightlatchRelyingParty

extension LoginPageTexts {
    static let german = LoginPageTexts(
        language: "de",
        title: { "Bei \($0) anmelden" },
        scanHeading: "Code mit dem Handy scannen",
        scan: "Öffnen Sie die App, mit der Sie Anmeldungen bestätigen, und scannen Sie damit den Code.",
        codeLabel: "QR-Code für die App auf Ihrem Handy",
        onThisPhone: "Ist diese Seite auf Ihrem Handy? In der App öffnen",
        number: "Zahl",
        numberHint: "Die App auf Ihrem Handy fragt nach dieser Zahl.",
        numberWarning: "Geben Sie die Zahl nur ein, wenn Sie diese Seite selbst geöffnet haben.",
        nameHeading: "Oder Benutzernamen eingeben",
        nameLabel: "Benutzername",
        nameHint: "Ihr Handy zeigt die Anmeldung dann ohne Scannen.",
        nameRefused: "Das kann kein Benutzername sein. Prüfen Sie ihn, und senden Sie ihn noch einmal.",
        ask: "An mein Handy senden",
        waitingHeading: "Auf dem Handy bestätigen",
        waitingSteps: [
            "Öffnen Sie die App, mit der Sie Anmeldungen bestätigen.",
            "Prüfen Sie, ob sie diese App, Ihre Netzwerkadresse und die Uhrzeit zeigt.",
            "Geben Sie die Zahl ein.",
            "Bestätigen Sie mit PIN, Fingerabdruck oder Gesicht.",
        ],
        troubleHeading: "Ihr Handy zeigt nichts?",
        trouble: """
            Prüfen Sie, ob das Handy online ist. Vielleicht ist der Benutzername falsch: Gehen Sie zurück zur App, und \
            melden Sie sich noch einmal an. In drei Minuten können nur drei Anmeldungen an ein Handy gesendet werden: \
            Warten Sie, und versuchen Sie es dann noch einmal.
            """,
        waiting: "Warten auf Ihr Handy…",
        goingOn: "Die Seite wird erneuert. Einen Moment …",
        reload: "Ich habe auf dem Handy bestätigt",
        again: "Noch einmal versuchen",
        back: { "Zurück zu \($0)" },
        ended: { end in
            switch end {
            case .rejected:
                Message(
                    heading: "Die Anmeldung wurde abgelehnt",
                    sentence: """
                        Sie wurde auf dem Handy abgelehnt. Sie sind nicht angemeldet. Versuchen Sie es noch einmal, \
                        wenn Sie sich anmelden möchten.
                        """)
            case .numberWrong:
                Message(
                    heading: "Die Zahl war falsch",
                    sentence: """
                        Auf dem Handy wurde eine andere Zahl eingegeben. Deshalb wurde niemand angemeldet. Versuchen \
                        Sie es noch einmal, und geben Sie die Zahl ein, die diese Seite dann zeigt.
                        """)
            case .contested:
                Message(
                    heading: "Zwei Personen haben den Code gescannt",
                    sentence: """
                        Die Seite kann nicht wissen, wessen Anmeldung dies ist. Sie sind nicht angemeldet. Versuchen Sie \
                        es noch einmal, wo niemand sonst den Bildschirm sieht.
                        """)
            case .expired:
                Message(
                    heading: "Die Anmeldung ist abgelaufen",
                    sentence: "Sie wurde nicht rechtzeitig abgeschlossen. Versuchen Sie es noch einmal.")
            case .deviceStopped:
                Message(
                    heading: "Das Telefon ist nicht mehr gültig",
                    sentence:
                        "Das Telefon, das die Anmeldung bestätigt hat, wurde gesperrt oder entfernt. Sie sind nicht angemeldet."
                )
            case .completed:
                Message(
                    heading: "Diese Anmeldung ist schon abgeschlossen",
                    sentence: """
                        Sie wurde schon abgeschlossen, vielleicht in einem anderen Tab. Versuchen Sie es noch einmal, wenn Sie \
                        sich hier erneut anmelden möchten.
                        """)
            }
        },
        scanned: Message(
            heading: "Code mit der App scannen",
            sentence: """
                Diese Adresse ist für die App, mit der Sie Anmeldungen bestätigen. Öffnen Sie die App, und scannen Sie \
                den Code mit ihr. Oder geben Sie auf der Anmeldeseite Ihren Benutzernamen ein.
                """),
        unknown: Message(
            heading: "Hier geht es nicht weiter",
            sentence: """
                Die Anmeldung wurde in einem anderen Browser oder vor zu langer Zeit begonnen. Gehen Sie zurück zur \
                App, und melden Sie sich dort noch einmal an.
                """),
        busy: Message(
            heading: "Das geht gerade nicht", sentence: "Warten Sie einen Moment, und laden Sie die Seite neu."),
        refused: Message(
            heading: "Das hat nicht funktioniert",
            sentence: "Gehen Sie zurück zur App, und melden Sie sich dort noch einmal an."),
        confirmed: Message(
            heading: "Sie sind angemeldet", sentence: "Wenn sich die App nicht öffnet, wählen Sie den Link."),
        cancelled: Message(
            heading: "Sie sind nicht angemeldet", sentence: "Wenn sich die App nicht öffnet, wählen Sie den Link."),
        toApp: "Zur App")
}
