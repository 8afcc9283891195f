extension ErrorStrings {
    public static let english = ErrorStrings(language: "en", summary: English.summary, advice: English.advice)
}

private enum English {
    @Sendable static func summary(_ summary: ErrorSummary) -> String {
        switch summary {
        case .wrongPin(nil): "Wrong PIN."
        case .wrongPin(let tries?): tries == 1 ? "Wrong PIN. 1 attempt left." : "Wrong PIN. \(tries) attempts left."
        case .pinWaiting(nil): "PIN entry is locked, because too many PINs were wrong."
        case .pinWaiting(let wait?):
            "PIN entry is locked for \(WaitTime(wait).inEnglish), because too many PINs were wrong."
        case .pinBlocked: "The PIN is blocked."
        case .pinRefused:
            "This PIN is not allowed: it is too easy to guess, has the wrong length, or is the current PIN."
        case .notAPin: "A PIN has 4 to 12 digits and no other characters."
        case .pinIsSet: "A PIN is already set."
        case .pinNeeded: "Your PIN is required."
        case .pinTriedHereOnly: "The PIN was checked on this device alone, and the service does not accept that."
        case .erased: "Everything was erased after too many wrong PINs."
        case .biometricsNotRecognised: "You were not recognised."
        case .biometricsNotSetUp: "Biometrics are not set up."
        case .biometricsChanged: "The enrolled faces or fingers have changed."
        case .biometricsLockedOut: "Biometrics are locked until the device is unlocked with its passcode."
        case .biometricsNotAllowed: "This app may not use biometrics."
        case .biometricsUnavailable: "Biometrics cannot be used on this device now."
        case .biometricsInterrupted: "Biometrics were interrupted."
        case .nothingFound: "Nothing is set up on this device, or its data cannot be found now."
        case .alreadyThere: "This already exists."
        case .locked: "The app has locked itself."
        case .changedMeanwhile: "Something else changed this at the same time."
        case .damaged: "The data on this device is damaged."
        case .newerVersion: "A newer version of the app wrote the data on this device."
        case .fromElsewhere: "The data on this device belongs to another device."
        case .outdated: "The data on this device is an old copy that the service no longer accepts."
        case .storageUnavailable: "The device’s storage cannot be used now."
        case .storageFull: "The device’s storage is full."
        case .notPermitted: "The system does not allow this app to do that."
        case .memoryFull: "The device has too little free memory."
        case .tooMany: "There is no room for more. Remove something first."
        case .keyUnavailable: "This device’s key cannot be used now."
        case .keyLost: "This device’s key is lost."
        case .noSuchKey: "There is no such key on this device."
        case .chipUnavailable: "The device’s security chip cannot be used now."
        case .unsupported: "This device cannot do that."
        case .unreachable: "The service does not answer."
        case .serviceBusy: "The service is busy."
        case .serviceFailed: "The service reported an error."
        case .notTheService: "Something other than the service answered."
        case .refused: "The service refused the request."
        case .tookTooLong: "This took too long."
        case .loginEnded: "You are no longer logged in."
        case .credentialsRefused: "The user name or password is wrong, or there were too many attempts."
        case .codeRefused: "The enrolment code is wrong, expired or already used."
        case .codeNeeded: "A new enrolment code is required."
        case .codeOfAnotherPerson: "The enrolment code is for another person."
        case .notBound: "This device is not linked to your account."
        case .boundElsewhere: "This device is linked to another account or service."
        case .deviceUnknown: "The service no longer knows this device."
        case .deviceRevoked: "This device was removed from your account, or another device has replaced it."
        case .deviceBlocked: "This device is blocked for now. Ask the service to unblock it."
        case .tooManyDevices: "Your account has the maximum number of devices. Remove one first."
        case .transactionConfirmed: "This transaction was already confirmed."
        case .transactionRejected: "This transaction was already rejected."
        case .transactionExpired: "This transaction expired before it was decided."
        case .transactionVoided: "The service withdrew this transaction."
        case .transactionChanged:
            "The transaction on the screen differs from the service’s. Nothing was decided. Check it again."
        case .transactionCannotBeShown: "This transaction has hidden characters, so it can only be rejected."
        case .remoteLoginEnded: "This login was already decided, or is no longer possible."
        case .remoteLoginChanged:
            "The login on the screen differs from the service’s. Nothing was decided. Check it again."
        case .remoteLoginNumberWrong:
            "This is not the number on the login page. No login took place. Begin again at the login page."
        case .remoteLoginNumberMissing: "The number on the login page is required."
        case .phraseMistyped: "These words are not a recovery phrase: one is missing, misspelt or in the wrong place."
        case .phraseWrong: "This recovery phrase does not belong to the data on this device."
        case .phraseNotSetUp: "No recovery phrase was set up."
        case .phraseNeeded: "Only your recovery phrase can unlock this now."
        case .phraseUnproved: "This phrase cannot prove that the data is yours."
        case .cancelled: "Cancelled."
        case .invalidInput: "This input is too long, too short, or has characters that are not allowed."
        case .internalFault: "Something went wrong inside the app."
        }
    }

    @Sendable static func advice(_ advice: Advice) -> String {
        switch advice {
        case .tryAgain: "Try again."
        case .tryLater(after: nil): "Try again later."
        case .tryLater(after: let wait?): "Try again in \(WaitTime(wait).inEnglish)."
        case .askForPin: "Unlock with your PIN."
        case .signIn: "Sign in with your full credentials."
        case .askForPhrase: "Enter your recovery phrase."
        case .bindAgain: "Set this device up with a new enrolment code."
        case .checkNetwork: "Check the network connection and try again."
        case .freeSpace: "Delete something or close other apps, and try again."
        case .updateApp: "Update the app."
        case .restoreAccess: "Allow access in the system’s settings."
        case .defect(let code): "If this happens again, report this code: \(code)"
        case .nothing: ""
        }
    }
}
