import Nightlatch

extension PinPadStrings {
    public static let english = PinPadStrings(language: "en") { text in
        switch text {
        case .title(let title): English.title(title)
        case .detail(let title): English.detail(title)
        case .message(let message): English.message(message)
        case .objection(let objection): English.objection(objection)
        case .triesLeft(let count): count == 1 ? "1 attempt left." : "\(count) attempts left."
        case .lastAttempt(let end): English.lastAttempt(end)
        case .countdown(let time): "Try again in \(time.inEnglish)."
        case .countdownIsOver: "You can enter your PIN now."
        case .key(let key): English.key(key)
        case .circles: "PIN"
        case .entered(let count, let whole?): "\(count) of \(whole) entered"
        case .entered(let count, nil): count == 1 ? "1 digit entered" : "\(count) digits entered"
        case .checking: "Checking"
        case .unlock: "Unlock"
        case .newPayment(let amount, let payee): "New payment to confirm: \(amount) to \(payee)."
        case .newPayments(let count):
            count == 1 ? "1 new payment to confirm." : "\(count) new payments to confirm."
        }
    }
}

private enum English {
    static func title(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .idle: "Locked"
        case .enterPin(.unlock): "Enter your PIN"
        case .enterPin(.changePin): "Enter your old PIN"
        case .choosePin(.registration): "Choose a PIN"
        case .choosePin(.changePin), .choosePin(.replaceLostPin): "Choose a new PIN"
        case .repeatPin: "Enter the new PIN again"
        case .reallyForgotten: "Give up this PIN?"
        case .ended(.unlocked): "Unlocked"
        case .ended(.pinSet): "The PIN is set"
        case .ended(.cancelled): "Cancelled"
        case .ended(.blocked): "This PIN is blocked"
        case .ended(.erased): "Everything was erased"
        case .ended(.missing): "Nothing was found here"
        case .ended(.failed): "That did not work"
        }
    }

    static func detail(_ title: PinPadDisplay.Title) -> String {
        switch title {
        case .enterPin(.unlock(let reason)): reason
        case .reallyForgotten: "It can then never be used again. This cannot be undone."
        case .ended(.blocked(.newCredentials)): "Sign in again to set a new one."
        case .ended(.blocked(.recoveryPhrase)): "Use your recovery phrase to set a new one."
        case .ended(.erased): "Nothing is left on this device. Set the app up again."
        case .ended(.missing): "The data on this device cannot be found now. Nothing was erased. Try again later."
        case .ended(.failed): "The PIN may not have been checked. Try again later."
        case .idle, .enterPin(.changePin), .choosePin, .repeatPin, .ended(.unlocked), .ended(.pinSet),
            .ended(.cancelled):
            ""
        }
    }

    static func message(_ message: PinPadDisplay.Message) -> String {
        switch message {
        case .wrong: "Wrong PIN."
        case .tooSoon: "You have to wait. The PIN was not checked."
        case .biometrics(let failure): biometrics(failure)
        case .mismatch: "The two PINs differ. Choose again."
        case .refused(let objections): objections.map(objection).joined(separator: " ")
        }
    }

    private static func biometrics(_ failure: BiometricError) -> String {
        switch failure {
        case .cancelled, .pinChosen: ""
        case .notRecognised: "You were not recognised."
        case .enrolmentChanged: "The enrolled faces or fingers have changed."
        case .unavailable(.lockedOut): "Biometrics are locked. Unlock the device with its passcode first."
        case .unavailable(.notEnrolled): "No face or finger is enrolled."
        case .unavailable(.permissionDenied): "This app may not use biometrics. Allow it in the settings."
        case .unavailable(.noPasscode): "Biometrics need a passcode on the device."
        case .unavailable(.notNow): "Biometrics cannot be used now."
        case .unavailable(.noHardware), .unavailable(.available): "Biometrics are not available."
        case .interrupted: "Biometrics were interrupted."
        case .corrupt, .failed: "Biometrics did not work."
        }
    }

    static func objection(_ objection: PinObjection) -> String {
        switch objection {
        case .length(let allowed):
            allowed.count == 1
                ? "It must have \(allowed.lowerBound) digits."
                : "It must have \(allowed.lowerBound) to \(allowed.upperBound) digits."
        case .fewDifferentDigits(let least): "It must have at least \(least) different digits."
        case .common(.repetition): "It repeats the same digits."
        case .common(.run): "Its digits follow each other."
        case .common(.pattern): "It repeats a pattern."
        case .common(.palindrome): "It is the same from both ends."
        case .common(.year): "It looks like a year."
        case .common(.date): "It looks like a date."
        case .common(.sorted): "Its digits only rise or only fall."
        case .common(.severalRuns): "It consists of number sequences."
        case .common(.padShape): "It draws a shape on the keypad."
        case .common(.popular): "It is one of the PINs that people choose most."
        case .sameAsCurrent: "It is your current PIN."
        case .ofApp(let reason): reason
        }
    }

    static func lastAttempt(_ end: LockoutEnd) -> String {
        switch end {
        case .newCredentials: "Last attempt. Another wrong PIN blocks this PIN. You must then sign in again."
        case .recoveryPhrase: "Last attempt. After another wrong PIN, only your recovery phrase unlocks this."
        case .wipe: "Last attempt. Another wrong PIN erases everything here."
        }
    }

    static func key(_ key: PinPadKey) -> String {
        switch key {
        case .digit(let digit): String(digit.rawValue)
        case .delete: "Delete"
        case .submit: "Done"
        case .biometrics: "Use biometrics"
        case .cancel: "Cancel"
        case .forgotten: "Forgot your PIN?"
        case .giveUp: "Give up this PIN"
        }
    }
}
