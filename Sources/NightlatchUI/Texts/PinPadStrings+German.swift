import Nightlatch

extension PinPadStrings {
    public static let german = PinPadStrings(language: "de") { text in
        switch text {
        case .title(let title): German.title(title)
        case .detail(let title): German.detail(title)
        case .message(let message): German.message(message)
        case .objection(let objection): German.objection(objection)
        case .triesLeft(let count): count == 1 ? "Noch 1 Versuch." : "Noch \(count) Versuche."
        case .lastAttempt(let end): German.lastAttempt(end)
        case .countdown(let time): "Nächster Versuch in \(time.inGerman)."
        case .countdownIsOver: "Sie können die PIN jetzt eingeben."
        case .key(let key): German.key(key)
        case .circles: "PIN"
        case .entered(let count, let whole?): "\(count) von \(whole) eingegeben"
        case .entered(let count, nil): count == 1 ? "1 Ziffer eingegeben" : "\(count) Ziffern eingegeben"
        case .checking: "Wird geprüft"
        case .unlock: "Entsperren"
        case .newPayment(let amount, let payee): "Neue Zahlung zu bestätigen: \(amount) an \(payee)."
        case .newPayments(let count):
            count == 1 ? "1 neue Zahlung zu bestätigen." : "\(count) neue Zahlungen zu bestätigen."
        }
    }
}

private enum German {
    static func title(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .idle: "Gesperrt"
        case .enterPin(.unlock): "PIN eingeben"
        case .enterPin(.changePin): "Bisherige PIN eingeben"
        case .choosePin(.registration): "PIN wählen"
        case .choosePin(.changePin), .choosePin(.replaceLostPin): "Neue PIN wählen"
        case .repeatPin: "Neue PIN noch einmal eingeben"
        case .reallyForgotten: "Diese PIN aufgeben?"
        case .ended(.unlocked): "Entsperrt"
        case .ended(.pinSet): "Die PIN ist gesetzt"
        case .ended(.cancelled): "Abgebrochen"
        case .ended(.blocked): "Diese PIN ist gesperrt"
        case .ended(.erased): "Alles wurde gelöscht"
        case .ended(.missing): "Hier wurde nichts gefunden"
        case .ended(.failed): "Das hat nicht funktioniert"
        }
    }

    static func detail(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .enterPin(.unlock(let reason)): reason
        case .reallyForgotten: "Sie kann dann nie wieder benutzt werden. Das lässt sich nicht rückgängig machen."
        case .ended(.blocked(.newCredentials)): "Melden Sie sich neu an, um eine andere zu setzen."
        case .ended(.blocked(.recoveryPhrase)): "Setzen Sie mit Ihren Wiederherstellungswörtern eine andere."
        case .ended(.erased): "Auf diesem Gerät ist nichts mehr. Richten Sie die App neu ein."
        case .ended(.missing):
            "Die Daten auf diesem Gerät sind gerade nicht zu finden. Gelöscht wurde nichts. "
                + "Versuchen Sie es später noch einmal."
        case .ended(.failed): "Die PIN wurde vielleicht nicht geprüft. Versuchen Sie es später noch einmal."
        case .idle, .enterPin(.changePin), .choosePin, .repeatPin, .ended(.unlocked), .ended(.pinSet),
            .ended(.cancelled):
            ""
        }
    }

    static func message(_ message: PinPadDisplay.Message) -> String {
        switch message {
        case .wrong: "Falsche PIN."
        case .tooSoon: "Sie müssen warten. Die PIN wurde nicht geprüft."
        case .biometrics(let failure): biometrics(failure)
        case .mismatch: "Die beiden PINs sind verschieden. Wählen Sie noch einmal."
        case .refused(let objections): objections.map(objection).joined(separator: " ")
        }
    }

    private static func biometrics(_ failure: BiometricError) -> String {
        switch failure {
        case .cancelled, .pinChosen: ""
        case .notRecognised: "Sie wurden nicht erkannt."
        case .enrolmentChanged: "Die hinterlegten Gesichter oder Finger haben sich geändert."
        case .unavailable(.lockedOut): "Biometrie ist gesperrt. Entsperren Sie zuerst das Gerät mit seinem Code."
        case .unavailable(.notEnrolled): "Es ist kein Gesicht oder Finger hinterlegt."
        case .unavailable(.permissionDenied):
            "Diese App darf Biometrie nicht benutzen. Erlauben Sie es in den Einstellungen."
        case .unavailable(.noPasscode): "Biometrie braucht einen Code auf dem Gerät."
        case .unavailable(.notNow): "Biometrie geht gerade nicht."
        case .unavailable(.noHardware), .unavailable(.available): "Biometrie ist nicht verfügbar."
        case .interrupted: "Biometrie wurde unterbrochen."
        case .corrupt, .failed: "Biometrie hat nicht funktioniert."
        }
    }

    static func objection(_ objection: PinObjection) -> String {
        switch objection {
        case .length(let allowed):
            allowed.count == 1
                ? "Sie muss \(allowed.lowerBound) Ziffern haben."
                : "Sie muss \(allowed.lowerBound) bis \(allowed.upperBound) Ziffern haben."
        case .fewDifferentDigits(let least): "Sie muss mindestens \(least) verschiedene Ziffern haben."
        case .common(.repetition): "Sie wiederholt dieselben Ziffern."
        case .common(.run): "Ihre Ziffern folgen aufeinander."
        case .common(.pattern): "Sie wiederholt ein Muster."
        case .common(.palindrome): "Sie ist von beiden Seiten gleich."
        case .common(.year): "Sie sieht wie eine Jahreszahl aus."
        case .common(.date): "Sie sieht wie ein Datum aus."
        case .common(.sorted): "Ihre Ziffern steigen nur oder fallen nur."
        case .common(.severalRuns): "Sie besteht aus Zahlenfolgen."
        case .common(.padShape): "Sie ergibt eine Figur auf dem Tastenfeld."
        case .common(.popular): "Sie gehört zu den am häufigsten gewählten."
        case .sameAsCurrent: "Sie ist Ihre bisherige PIN."
        case .ofApp(let reason): reason
        }
    }

    static func lastAttempt(_ end: LockoutEnd) -> String {
        switch end {
        case .newCredentials:
            "Letzter Versuch. Noch eine falsche PIN sperrt diese PIN. Sie müssen sich dann neu anmelden."
        case .recoveryPhrase:
            "Letzter Versuch. Nach noch einer falschen PIN entsperren nur Ihre Wiederherstellungswörter."
        case .wipe: "Letzter Versuch. Noch eine falsche PIN löscht hier alles."
        }
    }

    static func key(_ key: PinPadKey) -> String {
        switch key {
        case .digit(let digit): String(digit.rawValue)
        case .delete: "Löschen"
        case .submit: "Fertig"
        case .biometrics: "Biometrie verwenden"
        case .cancel: "Abbrechen"
        case .forgotten: "PIN vergessen?"
        case .giveUp: "Diese PIN aufgeben"
        }
    }
}
