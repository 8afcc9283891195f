import NightlatchRelyingParty

extension LoginPageTexts {
    static let english = LoginPageTexts(
        language: "en",
        title: { "Log in to \($0)" },
        scanHeading: "Scan the code with your phone",
        scan: "Open the app that confirms your logins, and scan the code with it.",
        codeLabel: "QR code for the app on your phone",
        onThisPhone: "Is this page on your phone? Open it in the app",
        number: "Number",
        numberHint: "The app on your phone asks for this number.",
        numberWarning: "Enter it only if you opened this page yourself.",
        nameHeading: "Or enter your user name",
        nameLabel: "User name",
        nameHint: "Your phone then shows the login, without a scan.",
        nameRefused: "This cannot be a user name. Check it, and send it again.",
        ask: "Send to my phone",
        waitingHeading: "Confirm on your phone",
        waitingSteps: [
            "Open the app that confirms your logins.",
            "Check that it shows this app, your network address and the time.",
            "Enter the number.",
            "Confirm with your PIN, your fingerprint or your face.",
        ],
        troubleHeading: "Does your phone show nothing?",
        trouble: """
            Check that the phone is online. The user name may be wrong: go back to the app, and log in again. Only \
            three logins can be sent to a phone within three minutes: wait, then try again.
            """,
        waiting: "Waiting for your phone…",
        goingOn: "The page is updated. One moment…",
        reload: "I have confirmed on my phone",
        again: "Try again",
        back: { "Back to \($0)" },
        ended: { end in
            switch end {
            case .rejected:
                Message(
                    heading: "The login was rejected",
                    sentence: "It was rejected on the phone. You are not logged in. To log in, try again.")
            case .numberWrong:
                Message(
                    heading: "The number was wrong",
                    sentence: """
                        Another number was entered on the phone. You are not logged in. Try again, and enter the \
                        number that the page then shows.
                        """)
            case .contested:
                Message(
                    heading: "Two people scanned the code",
                    sentence: """
                        The page cannot know whose login this is, so you are not logged in. Try again where no one \
                        else can see the screen.
                        """)
            case .expired:
                Message(
                    heading: "The login has expired",
                    sentence: "It was not completed in time. To log in, try again.")
            case .deviceStopped:
                Message(
                    heading: "The phone can no longer be used",
                    sentence: "The phone that confirmed the login was blocked or removed. You are not logged in.")
            case .completed:
                Message(
                    heading: "This login is already complete",
                    sentence: "It was completed before, perhaps in another tab. To log in here again, try again.")
            }
        },
        scanned: Message(
            heading: "Scan the code with the app",
            sentence: """
                This address is for the app that confirms your logins. Open the app, and scan the code with it. Or \
                enter your user name on the login page.
                """),
        unknown: Message(
            heading: "This page cannot continue",
            sentence: """
                The login was begun in another browser, or too long ago. Go back to the app, and log in again there.
                """),
        busy: Message(heading: "Not possible right now", sentence: "Wait a moment, then load the page again."),
        refused: Message(
            heading: "This did not work", sentence: "Go back to the app, and log in again there."),
        confirmed: Message(
            heading: "You are logged in", sentence: "If the app does not open, choose the link."),
        cancelled: Message(
            heading: "You are not logged in", sentence: "If the app does not open, choose the link."),
        toApp: "Go to the app")
}
