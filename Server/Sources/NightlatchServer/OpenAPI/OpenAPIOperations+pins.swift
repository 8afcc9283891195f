import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let pins = [
        OpenAPIOperation(
            route: .pinStanding, name: "pinStanding", summary: "The state of a device's two-party PIN.",
            details: "The possession key of the device signs the message. The request counts no guess.",
            body: .json(schema: "PinRequest"), answer: "PinStanding", refusals: pinRefusals),
        OpenAPIOperation(
            route: .openPinEpoch, name: "openPinEpoch", summary: "Opens an epoch of a two-party PIN as a candidate.",
            details: """
                The current knowledge key signs the message. The device key signs the opening of the first epoch, and \
                with a fresh enrolment code that of a later one. The current epoch stays until the candidate is \
                promoted. The same message gives the same answer.
                """,
            body: .json(schema: "PinOpeningRequest"), answer: "PinEpochOffer",
            refusals: pinRefusals + [
                .enrolmentCodeRequired, .enrolmentCodeRefused, .pinDestroyed, .pinEpochPassed(.example),
                .pinCandidateOpen(.example),
            ]),
        OpenAPIOperation(
            route: .evaluatePin, name: "evaluatePin", summary: "Charges a guess, then evaluates its blinded element.",
            details: """
                The guess counts before it is evaluated, and stays counted until a proof clears it. After the last \
                guess the server destroys its keys. In a wait between two rounds it charges no guess. The same message \
                gives the same answer and is counted once.
                """,
            body: .json(schema: "PinRequest"), answer: "PinEvaluation",
            refusals: pinRefusals + [.blindedElementRefused, .pinWaiting(.example)] + pinStandingRefusals),
        OpenAPIOperation(
            route: .provePin, name: "provePin", summary: "Clears the count of guesses, after proof of the right PIN.",
            details: """
                The message is signed by the knowledge key, which only the right PIN gives. It clears the \
                guesses that it names and begins a new window. The same message gives the same answer.
                """,
            body: .json(schema: "PinRequest"), answer: "PinClearing",
            refusals: pinRefusals + [.pinGuessUnknown] + pinStandingRefusals),
        OpenAPIOperation(
            route: .promotePinEpoch, name: "promotePinEpoch",
            summary: "Makes a candidate the current epoch, and destroys the previous one.",
            details: """
                The key that opened the candidate signs one message, and the candidate's knowledge key the other. The \
                keys of the previous epoch are destroyed. The same messages give the same answer.
                """,
            body: .json(schema: "PinPromotionRequest"), answer: "PinClearing",
            refusals: pinRefusals + [.pinGuessUnknown] + pinStandingRefusals),
        OpenAPIOperation(
            route: .abandonPinEpoch, name: "abandonPinEpoch", summary: "Destroys a candidate.",
            details: "The current epoch stays. Idempotent.",
            body: .json(schema: "PinRequest"), answer: "PinStanding",
            refusals: pinRefusals + [.pinEpochPassed(.example)]),
    ]

    /// The refusals that every message about a two-party PIN can get.
    private static let pinRefusals: [Refusal] = [
        .messageRefused(.wrongSignature), .messageExpired(at: NumericDate(secondsSince1970: 0)), .deviceRevoked,
        .deviceReplaced, .deviceBlocked,
    ]
    private static let pinStandingRefusals: [Refusal] = [
        .pinNotEnrolled, .pinDestroyed, .pinEpochPassed(.example), .pinWindowPassed(.example),
    ]
}

extension PinStanding {
    /// An arbitrary value: the description contains only codes.
    fileprivate static let example = PinHardening().standing(
        under: .default, at: NumericDate(secondsSince1970: 0))
}
