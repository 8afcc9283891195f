import NightlatchRelyingParty

extension LoginPageTexts {
    static let french = LoginPageTexts(
        language: "fr",
        title: { "Connexion à \($0)" },
        scanHeading: "Scannez le code avec votre téléphone",
        scan: "Ouvrez l’application qui confirme vos connexions, et scannez le code avec elle.",
        codeLabel: "Code QR pour l’application de votre téléphone",
        onThisPhone: "Cette page est sur votre téléphone\u{A0}? Ouvrir dans l’application",
        number: "Nombre",
        numberHint: "L’application de votre téléphone demande ce nombre.",
        numberWarning: "Ne le saisissez que si vous avez ouvert cette page vous-même.",
        nameHeading: "Ou saisissez votre nom d’utilisateur",
        nameLabel: "Nom d’utilisateur",
        nameHint: "Votre téléphone affiche alors la connexion, sans scan.",
        nameRefused: "Ceci ne peut pas être un nom d’utilisateur. Vérifiez-le, et envoyez-le à nouveau.",
        ask: "Envoyer à mon téléphone",
        waitingHeading: "Confirmez sur votre téléphone",
        waitingSteps: [
            "Ouvrez l’application qui confirme vos connexions.",
            "Vérifiez qu’elle affiche cette application, votre adresse réseau et l’heure.",
            "Saisissez le nombre.",
            "Confirmez avec votre code PIN, votre empreinte ou votre visage.",
        ],
        troubleHeading: "Votre téléphone n’affiche rien\u{A0}?",
        trouble: """
            Vérifiez que le téléphone est en ligne. Le nom d’utilisateur est peut-être faux\u{A0}: revenez à l’application, \
            et connectez-vous à nouveau. En trois minutes, trois connexions seulement peuvent être envoyées à un \
            téléphone\u{A0}: attendez, puis réessayez.
            """,
        waiting: "En attente de votre téléphone…",
        goingOn: "La page est mise à jour. Un instant…",
        reload: "J’ai confirmé sur mon téléphone",
        again: "Réessayer",
        back: { "Retour à \($0)" },
        ended: { end in
            switch end {
            case .rejected:
                Message(
                    heading: "La connexion a été refusée",
                    sentence: """
                        Elle a été refusée sur le téléphone. Vous n’êtes pas connecté. Pour vous connecter, réessayez.
                        """)
            case .numberWrong:
                Message(
                    heading: "Le nombre était faux",
                    sentence: """
                        Un autre nombre a été saisi sur le téléphone\u{A0}: personne n’a été connecté. Réessayez, et \
                        saisissez le nombre que la page affichera.
                        """)
            case .contested:
                Message(
                    heading: "Deux personnes ont scanné le code",
                    sentence: """
                        La page ne peut pas savoir à qui est cette connexion. Vous n’êtes pas connecté. Réessayez là où personne d’autre \
                        ne voit l’écran.
                        """)
            case .expired:
                Message(
                    heading: "La connexion a expiré",
                    sentence: "Elle n’a pas été terminée à temps. Pour vous connecter, réessayez.")
            case .deviceStopped:
                Message(
                    heading: "Le téléphone n’est plus valable",
                    sentence:
                        "Le téléphone qui a confirmé la connexion a été bloqué ou retiré. Vous n’êtes pas connecté.")
            case .completed:
                Message(
                    heading: "Cette connexion est déjà terminée",
                    sentence: """
                        Elle a été terminée avant, peut-être dans un autre onglet. Pour vous connecter ici à nouveau, \
                        réessayez.
                        """)
            }
        },
        scanned: Message(
            heading: "Scannez le code avec l’application",
            sentence: """
                Cette adresse est destinée à l’application qui confirme vos connexions. Ouvrez l’application, et \
                scannez le code avec elle. Ou saisissez votre nom d’utilisateur sur la page de connexion.
                """),
        unknown: Message(
            heading: "Cette page ne peut pas continuer",
            sentence: """
                La connexion a été commencée dans un autre navigateur, ou il y a trop longtemps. Revenez à \
                l’application, et connectez-vous-y à nouveau.
                """),
        busy: Message(
            heading: "Impossible pour le moment", sentence: "Attendez un instant, puis rechargez la page."),
        refused: Message(
            heading: "Cela n’a pas fonctionné",
            sentence: "Revenez à l’application, et connectez-vous-y à nouveau."),
        confirmed: Message(
            heading: "Vous êtes connecté", sentence: "Si l’application ne s’ouvre pas, choisissez le lien."),
        cancelled: Message(
            heading: "Vous n’êtes pas connecté", sentence: "Si l’application ne s’ouvre pas, choisissez le lien."),
        toApp: "Aller à l’application")
}
