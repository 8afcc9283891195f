extension ErrorStrings {
    public static let french = ErrorStrings(language: "fr", summary: French.summary, advice: French.advice)
}

private enum French {
    @Sendable static func summary(_ summary: ErrorSummary) -> String {
        switch summary {
        case .wrongPin(nil): "Code PIN incorrect."
        case .wrongPin(let tries?):
            tries < 2
                ? "Code PIN incorrect. \(tries) essai restant." : "Code PIN incorrect. \(tries) essais restants."
        case .pinWaiting(nil): "La saisie est bloquée, car trop de codes PIN étaient incorrects."
        case .pinWaiting(let wait?):
            "La saisie est bloquée pendant \(WaitTime(wait).inFrench), car trop de codes PIN étaient incorrects."
        case .pinBlocked: "Le code PIN est bloqué."
        case .pinRefused:
            "Ce code PIN n’est pas permis\u{A0}: il est trop facile à deviner, n’a pas la bonne longueur ou est le code "
                + "actuel."
        case .notAPin: "Un code PIN a de 4 à 12 chiffres et aucun autre caractère."
        case .pinIsSet: "Un code PIN est déjà défini."
        case .pinNeeded: "Votre code PIN est nécessaire."
        case .pinTriedHereOnly: "Le code PIN a été vérifié uniquement sur cet appareil, et le service ne l’accepte pas."
        case .erased: "Après trop de codes PIN incorrects, tout a été effacé."
        case .biometricsNotRecognised: "Vous n’avez pas été reconnu."
        case .biometricsNotSetUp: "La biométrie n’est pas configurée."
        case .biometricsChanged: "Les visages ou les doigts enregistrés ont changé."
        case .biometricsLockedOut: "La biométrie est bloquée jusqu’au déverrouillage de l’appareil avec son code."
        case .biometricsNotAllowed: "Cette app n’a pas le droit d’utiliser la biométrie."
        case .biometricsUnavailable: "La biométrie n’est pas possible sur cet appareil pour l’instant."
        case .biometricsInterrupted: "La biométrie a été interrompue."
        case .nothingFound: "Rien n’est configuré sur cet appareil, ou ses données sont introuvables pour l’instant."
        case .alreadyThere: "Cela existe déjà."
        case .locked: "L’app s’est verrouillée."
        case .changedMeanwhile: "Autre chose l’a modifié en même temps."
        case .damaged: "Les données de cet appareil sont endommagées."
        case .newerVersion: "Une version plus récente de l’app a écrit les données de cet appareil."
        case .fromElsewhere: "Les données de cet appareil appartiennent à un autre appareil."
        case .outdated: "Les données de cet appareil sont une ancienne copie que le service n’accepte plus."
        case .storageUnavailable: "Le stockage de l’appareil n’est pas disponible pour l’instant."
        case .storageFull: "Le stockage de l’appareil est plein."
        case .forbiddenByPolicy: "Le service ne le permet pas."
        case .notPermitted: "Le système ne le permet pas à cette app."
        case .memoryFull: "L’appareil n’a pas assez de mémoire libre."
        case .tooMany: "Il n’y a plus de place. Supprimez d’abord un élément."
        case .keyUnavailable: "La clé de cet appareil n’est pas disponible pour l’instant."
        case .keyLost: "La clé de cet appareil est perdue."
        case .noSuchKey: "Cette clé n’existe pas sur cet appareil."
        case .chipUnavailable: "La puce de sécurité de l’appareil n’est pas disponible pour l’instant."
        case .unsupported: "Cet appareil ne le permet pas."
        case .unreachable: "Le service ne répond pas."
        case .serviceBusy: "Le service est occupé."
        case .serviceFailed: "Le service a signalé une erreur."
        case .notTheService: "Autre chose que le service a répondu."
        case .refused: "Le service a refusé la demande."
        case .tookTooLong: "Cela a pris trop de temps."
        case .loginEnded: "Vous n’êtes plus connecté."
        case .credentialsRefused:
            "Le nom d’utilisateur ou le mot de passe est incorrect, ou il y a eu trop de tentatives."
        case .codeRefused: "Le code d’inscription est incorrect, expiré ou déjà utilisé."
        case .codeNeeded: "Un nouveau code d’inscription est nécessaire."
        case .codeOfAnotherPerson: "Le code d’inscription est pour une autre personne."
        case .notBound: "Cet appareil n’est pas lié à votre compte."
        case .boundElsewhere: "Cet appareil est lié à un autre compte ou service."
        case .deviceUnknown: "Le service ne connaît plus cet appareil."
        case .deviceRevoked: "Cet appareil a été retiré de votre compte, ou un autre l’a remplacé."
        case .deviceBlocked: "Cet appareil est bloqué pour l’instant. Demandez au service de le débloquer."
        case .tooManyDevices: "Votre compte a le nombre maximal d’appareils. Retirez-en d’abord un."
        case .transactionConfirmed: "Cette transaction a déjà été confirmée."
        case .transactionRejected: "Cette transaction a déjà été refusée."
        case .transactionExpired: "Cette transaction a expiré avant d’être décidée."
        case .transactionVoided: "Le service a retiré cette transaction."
        case .transactionChanged:
            "La transaction affichée diffère de celle du service. Rien n’a été décidé. Vérifiez-la à nouveau."
        case .transactionCannotBeShown:
            "Cette transaction contient des caractères cachés et peut seulement être refusée."
        case .remoteLoginEnded: "Cette connexion a déjà été décidée, ou n’est plus possible."
        case .remoteLoginChanged:
            "La connexion affichée diffère de celle du service. Rien n’a été décidé. Vérifiez-la à nouveau."
        case .remoteLoginNumberWrong:
            "Ce n’est pas le nombre de la page de connexion. Aucune connexion n’a eu lieu. Recommencez sur la page de "
                + "connexion."
        case .remoteLoginNumberMissing: "Le nombre de la page de connexion est nécessaire."
        case .phraseMistyped:
            "Ces mots ne sont pas une phrase de récupération\u{A0}: il en manque un, il est mal écrit ou mal placé."
        case .phraseWrong: "Cette phrase de récupération ne correspond pas aux données de cet appareil."
        case .phraseNotSetUp: "Aucune phrase de récupération n’a été configurée."
        case .phraseNeeded: "Seule votre phrase de récupération peut déverrouiller ceci maintenant."
        case .phraseUnproved: "Cette phrase ne peut pas prouver que les données sont les vôtres."
        case .cancelled: "Annulé."
        case .invalidInput: "Cette saisie est trop longue, trop courte ou contient des caractères non permis."
        case .internalFault: "Une erreur s’est produite dans l’app."
        }
    }

    @Sendable static func advice(_ advice: Advice) -> String {
        switch advice {
        case .tryAgain: "Réessayez."
        case .tryLater(after: nil): "Réessayez plus tard."
        case .tryLater(after: let wait?): "Réessayez dans \(WaitTime(wait).inFrench)."
        case .askForPin: "Déverrouillez avec votre code PIN."
        case .signIn: "Identifiez-vous avec vos identifiants complets."
        case .askForPhrase: "Saisissez votre phrase de récupération."
        case .bindAgain: "Configurez cet appareil avec un nouveau code d’inscription."
        case .checkNetwork: "Vérifiez la connexion au réseau et réessayez."
        case .freeSpace: "Supprimez quelque chose ou fermez d’autres apps, puis réessayez."
        case .updateApp: "Mettez l’app à jour."
        case .restoreAccess: "Autorisez l’accès dans les réglages du système."
        case .defect(let code): "Si cela persiste, signalez ce code\u{A0}: \(code)"
        case .nothing: ""
        }
    }
}
