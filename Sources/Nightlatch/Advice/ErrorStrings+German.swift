extension ErrorStrings {
    public static let german = ErrorStrings(language: "de", summary: German.summary, advice: German.advice)
}

private enum German {
    @Sendable static func summary(_ summary: ErrorSummary) -> String {
        switch summary {
        case .wrongPin(nil): "Falsche PIN."
        case .wrongPin(let tries?):
            tries == 1 ? "Falsche PIN. Noch 1 Versuch." : "Falsche PIN. Noch \(tries) Versuche."
        case .pinWaiting(nil): "Nach zu vielen falschen PINs ist die Eingabe gesperrt."
        case .pinWaiting(let wait?):
            "Nach zu vielen falschen PINs ist die nächste Eingabe in \(WaitTime(wait).inGerman) möglich."
        case .pinBlocked: "Die PIN ist gesperrt."
        case .pinRefused:
            "Diese PIN ist nicht erlaubt: Sie ist zu leicht zu erraten, hat die falsche Länge oder ist die bisherige PIN."
        case .notAPin: "Eine PIN hat 4 bis 12 Ziffern und keine anderen Zeichen."
        case .pinIsSet: "Es ist schon eine PIN gesetzt."
        case .pinNeeded: "Ihre PIN ist nötig."
        case .pinTriedHereOnly: "Die PIN wurde nur auf diesem Gerät geprüft, und das nimmt der Dienst nicht an."
        case .erased: "Nach zu vielen falschen PINs wurde alles gelöscht."
        case .biometricsNotRecognised: "Sie wurden nicht erkannt."
        case .biometricsNotSetUp: "Biometrie ist nicht eingerichtet."
        case .biometricsChanged: "Die hinterlegten Gesichter oder Finger haben sich geändert."
        case .biometricsLockedOut: "Biometrie ist gesperrt, bis das Gerät mit seinem Code entsperrt wird."
        case .biometricsNotAllowed: "Diese App darf Biometrie nicht benutzen."
        case .biometricsUnavailable: "Biometrie ist auf diesem Gerät gerade nicht möglich."
        case .biometricsInterrupted: "Biometrie wurde unterbrochen."
        case .nothingFound: "Auf diesem Gerät ist nichts eingerichtet, oder die Daten sind gerade nicht zu finden."
        case .alreadyThere: "Das gibt es schon."
        case .locked: "Die App hat sich gesperrt."
        case .changedMeanwhile: "Das wurde gleichzeitig von anderer Stelle geändert."
        case .damaged: "Die Daten auf diesem Gerät sind beschädigt."
        case .newerVersion: "Die Daten auf diesem Gerät stammen von einer neueren Version der App."
        case .fromElsewhere: "Die Daten auf diesem Gerät gehören zu einem anderen Gerät."
        case .outdated: "Die Daten auf diesem Gerät sind eine alte Kopie, die der Dienst nicht mehr annimmt."
        case .storageUnavailable: "Der Speicher des Geräts ist gerade nicht verfügbar."
        case .storageFull: "Der Speicher des Geräts ist voll."
        case .forbiddenByPolicy: "Der Dienst lässt das nicht zu."
        case .notPermitted: "Das System erlaubt dieser App das nicht."
        case .memoryFull: "Das Gerät hat zu wenig freien Arbeitsspeicher."
        case .tooMany: "Für mehr ist kein Platz. Entfernen Sie zuerst etwas."
        case .keyUnavailable: "Der Schlüssel dieses Geräts ist gerade nicht verfügbar."
        case .keyLost: "Der Schlüssel dieses Geräts ist verloren."
        case .noSuchKey: "Diesen Schlüssel gibt es auf diesem Gerät nicht."
        case .chipUnavailable: "Der Sicherheitschip des Geräts ist gerade nicht verfügbar."
        case .unsupported: "Das kann dieses Gerät nicht."
        case .unreachable: "Der Dienst antwortet nicht."
        case .serviceBusy: "Der Dienst ist ausgelastet."
        case .serviceFailed: "Der Dienst hat einen Fehler gemeldet."
        case .notTheService: "Etwas anderes als der Dienst hat geantwortet."
        case .refused: "Der Dienst hat die Anfrage abgelehnt."
        case .tookTooLong: "Das hat zu lange gedauert."
        case .loginEnded: "Sie sind nicht mehr angemeldet."
        case .credentialsRefused: "Benutzername oder Passwort ist falsch, oder es gab zu viele Versuche."
        case .codeRefused: "Der Einrichtungscode ist falsch, abgelaufen oder schon benutzt."
        case .codeNeeded: "Ein neuer Einrichtungscode ist nötig."
        case .codeOfAnotherPerson: "Der Einrichtungscode ist für eine andere Person."
        case .notBound: "Dieses Gerät ist nicht mit Ihrem Konto verbunden."
        case .boundElsewhere: "Dieses Gerät ist mit einem anderen Konto oder Dienst verbunden."
        case .deviceUnknown: "Der Dienst kennt dieses Gerät nicht mehr."
        case .deviceRevoked: "Dieses Gerät wurde aus Ihrem Konto entfernt oder durch ein anderes ersetzt."
        case .deviceBlocked: "Dieses Gerät ist vorerst gesperrt. Bitten Sie den Dienst, es zu entsperren."
        case .tooManyDevices: "Ihr Konto hat die höchste erlaubte Zahl von Geräten. Entfernen Sie zuerst eines."
        case .transactionConfirmed: "Diese Transaktion wurde schon bestätigt."
        case .transactionRejected: "Diese Transaktion wurde schon abgelehnt."
        case .transactionExpired: "Diese Transaktion ist abgelaufen, bevor über sie entschieden wurde."
        case .transactionVoided: "Der Dienst hat diese Transaktion zurückgezogen."
        case .transactionChanged:
            "Die angezeigte Transaktion ist eine andere als die des Dienstes. Nichts wurde entschieden. "
                + "Prüfen Sie sie noch einmal."
        case .transactionCannotBeShown: "Diese Transaktion enthält verborgene Zeichen und kann nur abgelehnt werden."
        case .remoteLoginEnded: "Über diese Anmeldung wurde schon entschieden, oder sie ist nicht mehr möglich."
        case .remoteLoginChanged:
            "Die angezeigte Anmeldung ist eine andere als die des Dienstes. Nichts wurde entschieden. "
                + "Prüfen Sie sie noch einmal."
        case .remoteLoginNumberWrong:
            "Das ist nicht die Zahl auf der Anmeldeseite. Es gab keine Anmeldung. Beginnen Sie auf der "
                + "Anmeldeseite von vorn."
        case .remoteLoginNumberMissing: "Die Zahl auf der Anmeldeseite wird benötigt."
        case .phraseMistyped:
            "Diese Wörter sind keine Wiederherstellungswörter: Eines fehlt, ist verschrieben oder steht am "
                + "falschen Ort."
        case .phraseWrong: "Diese Wiederherstellungswörter gehören nicht zu den Daten auf diesem Gerät."
        case .phraseNotSetUp: "Es wurden keine Wiederherstellungswörter eingerichtet."
        case .phraseNeeded: "Nur Ihre Wiederherstellungswörter können das jetzt entsperren."
        case .phraseUnproved: "Diese Wörter können nicht beweisen, dass die Daten Ihre sind."
        case .cancelled: "Abgebrochen."
        case .invalidInput: "Diese Eingabe ist zu lang, zu kurz oder enthält unerlaubte Zeichen."
        case .internalFault: "In der App ist etwas schiefgegangen."
        }
    }

    @Sendable static func advice(_ advice: Advice) -> String {
        switch advice {
        case .tryAgain: "Versuchen Sie es noch einmal."
        case .tryLater(after: nil): "Versuchen Sie es später noch einmal."
        case .tryLater(after: let wait?): "Versuchen Sie es in \(WaitTime(wait).inGerman) noch einmal."
        case .askForPin: "Entsperren Sie mit Ihrer PIN."
        case .signIn: "Melden Sie sich mit Ihren vollständigen Zugangsdaten an."
        case .askForPhrase: "Geben Sie Ihre Wiederherstellungswörter ein."
        case .bindAgain: "Richten Sie dieses Gerät mit einem neuen Einrichtungscode ein."
        case .checkNetwork: "Prüfen Sie die Netzverbindung und versuchen Sie es noch einmal."
        case .freeSpace: "Löschen Sie etwas oder schließen Sie andere Apps und versuchen Sie es noch einmal."
        case .updateApp: "Aktualisieren Sie die App."
        case .restoreAccess: "Erlauben Sie den Zugriff in den Einstellungen des Systems."
        case .defect(let code): "Wenn das wieder vorkommt, melden Sie diesen Code: \(code)"
        case .nothing: ""
        }
    }
}
