import Nightlatch

extension PinPadStrings {
    public static let french = PinPadStrings(language: "fr") { text in
        switch text {
        case .title(let title): French.title(title)
        case .detail(let title): French.detail(title)
        case .message(let message): French.message(message)
        case .objection(let objection): French.objection(objection)
        case .triesLeft(let count):
            French.isOne(count) ? "\(count) essai restant." : "\(count) essais restants."
        case .lastAttempt(let end): French.lastAttempt(end)
        case .countdown(let time): "Réessayez dans \(time.inFrench)."
        case .countdownIsOver: "Vous pouvez saisir votre code PIN."
        case .key(let key): French.key(key)
        case .circles: "Code PIN"
        case .entered(let count, let whole?):
            French.isOne(count) ? "\(count) chiffre saisi sur \(whole)" : "\(count) chiffres saisis sur \(whole)"
        case .entered(let count, nil):
            French.isOne(count) ? "\(count) chiffre saisi" : "\(count) chiffres saisis"
        case .checking: "Vérification en cours"
        case .unlock: "Déverrouiller"
        case .newPayment(let amount, let payee): "Nouveau paiement à confirmer\u{A0}: \(amount) à \(payee)."
        case .newPayments(let count):
            French.isOne(count)
                ? "\(count) nouveau paiement à confirmer." : "\(count) nouveaux paiements à confirmer."
        }
    }
}

private enum French {
    /// In French, zero and one are singular.
    static func isOne(_ count: Int) -> Bool { count < 2 }

    static func title(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .idle: "Verrouillé"
        case .enterPin(.unlock): "Saisissez votre code PIN"
        case .enterPin(.changePin): "Saisissez votre ancien code PIN"
        case .choosePin(.registration): "Choisissez un code PIN"
        case .choosePin(.changePin), .choosePin(.replaceLostPin): "Choisissez un nouveau code PIN"
        case .repeatPin: "Saisissez à nouveau le code PIN"
        case .reallyForgotten: "Abandonner ce code PIN\u{A0}?"
        case .ended(.unlocked): "Déverrouillé"
        case .ended(.pinSet): "Le code PIN est enregistré"
        case .ended(.cancelled): "Annulé"
        case .ended(.blocked): "Ce code PIN est bloqué"
        case .ended(.erased): "Tout a été effacé"
        case .ended(.missing): "Rien n’a été trouvé ici"
        case .ended(.failed): "L’opération a échoué"
        }
    }

    static func detail(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .enterPin(.unlock(let reason)): reason
        case .reallyForgotten: "Il ne pourra plus jamais être utilisé. Cette action est définitive."
        case .ended(.blocked(.newCredentials)): "Identifiez-vous à nouveau pour en choisir un autre."
        case .ended(.blocked(.recoveryPhrase)): "Choisissez-en un autre à l’aide de votre phrase de récupération."
        case .ended(.erased): "Il ne reste rien sur cet appareil. Configurez à nouveau l’app."
        case .ended(.missing):
            "Les données de cet appareil sont introuvables pour l’instant. Rien n’a été effacé. Réessayez plus tard."
        case .ended(.failed): "Le code PIN n’a peut-être pas été vérifié. Réessayez plus tard."
        case .idle, .enterPin(.changePin), .choosePin, .repeatPin, .ended(.unlocked), .ended(.pinSet),
            .ended(.cancelled):
            ""
        }
    }

    static func message(_ message: PinPadDisplay.Message) -> String {
        switch message {
        case .wrong: "Code PIN incorrect."
        case .tooSoon: "Vous devez attendre. Le code PIN n’a pas été vérifié."
        case .biometrics(let failure): biometrics(failure)
        case .mismatch: "Les deux codes sont différents. Choisissez à nouveau."
        case .refused(let objections): objections.map(objection).joined(separator: " ")
        }
    }

    private static func biometrics(_ failure: BiometricError) -> String {
        switch failure {
        case .cancelled, .pinChosen: ""
        case .notRecognised: "Vous n’avez pas été reconnu."
        case .enrolmentChanged: "Les visages ou les doigts enregistrés ont changé."
        case .unavailable(.lockedOut):
            "La biométrie est bloquée. Déverrouillez d’abord l’appareil avec son code."
        case .unavailable(.notEnrolled): "Aucun visage ni doigt n’est enregistré."
        case .unavailable(.permissionDenied):
            "Cette app n’a pas le droit d’utiliser la biométrie. Autorisez-la dans les réglages."
        case .unavailable(.noPasscode): "La biométrie exige un code sur l’appareil."
        case .unavailable(.notNow): "La biométrie n’est pas possible pour l’instant."
        case .unavailable(.noHardware), .unavailable(.available): "La biométrie n’est pas disponible."
        case .interrupted: "La biométrie a été interrompue."
        case .corrupt, .failed: "La biométrie n’a pas fonctionné."
        }
    }

    static func objection(_ objection: PinObjection) -> String {
        switch objection {
        case .length(let allowed):
            allowed.count == 1
                ? "Il doit avoir \(allowed.lowerBound) chiffres."
                : "Il doit avoir de \(allowed.lowerBound) à \(allowed.upperBound) chiffres."
        case .fewDifferentDigits(let least): "Il doit avoir au moins \(least) chiffres différents."
        case .common(.repetition): "Il répète les mêmes chiffres."
        case .common(.run): "Ses chiffres se suivent."
        case .common(.pattern): "Il répète un motif."
        case .common(.palindrome): "Il est le même dans les deux sens."
        case .common(.year): "Il ressemble à une année."
        case .common(.date): "Il ressemble à une date."
        case .common(.sorted): "Ses chiffres ne font que monter ou descendre."
        case .common(.severalRuns): "Il se compose de suites de chiffres."
        case .common(.padShape): "Il dessine une figure sur le clavier."
        case .common(.popular): "Il est parmi les plus choisis."
        case .sameAsCurrent: "C’est votre code PIN actuel."
        case .ofApp(let reason): reason
        }
    }

    static func lastAttempt(_ end: LockoutEnd) -> String {
        switch end {
        case .newCredentials:
            "Dernier essai. Un autre code incorrect bloque ce code PIN. Vous devrez alors vous identifier à nouveau."
        case .recoveryPhrase:
            "Dernier essai. Après un autre code incorrect, seule votre phrase de récupération déverrouille."
        case .wipe: "Dernier essai. Un autre code incorrect efface tout ici."
        }
    }

    static func key(_ key: PinPadKey) -> String {
        switch key {
        case .digit(let digit): String(digit.rawValue)
        case .delete: "Supprimer"
        case .submit: "Terminé"
        case .biometrics: "Utiliser la biométrie"
        case .cancel: "Annuler"
        case .forgotten: "Code PIN oublié\u{A0}?"
        case .giveUp: "Abandonner ce code PIN"
        }
    }
}
