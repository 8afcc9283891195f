import NightlatchWire

extension OpenAPISchema {
    static let pins: [String: JSONTree] = [
        "PinRequest": object(required: ["message": pinMessage]),
        "PinOpeningRequest": object(
            required: ["message": pinMessage], optional: ["enrolment_code": reference("TypedEnrolmentCode")]),
        "PinPromotionRequest": object(required: ["message": pinMessage, "knowledge_key_message": pinMessage]),
        "PinStanding": object(
            required: [
                "next_epoch": reference("PinEpoch"), "window": reference("PinWindow"), "tries_left": triesLeft,
                "is_code_required": ["type": "boolean"], "issued_at": reference("NumericDate"),
            ],
            optional: [
                "epoch": reference("PinEpoch"), "candidate": reference("PinEpoch"),
                "wait_seconds": reference("PinWait"),
            ]),
        "PinEpochOffer": object(
            required: [
                "epoch": reference("PinEpoch"), "public_key": reference("CurvePoint"), "window": reference("PinWindow"),
                "issued_at": reference("NumericDate"),
            ],
            optional: ["answer_key": answerKey]),
        "PinEvaluation": object(
            required: [
                "epoch": reference("PinEpoch"), "window": reference("PinWindow"), "guess": reference("PinGuessID"),
                "evaluated_element": reference("CurvePoint"), "proof": binary(byteCount: 96), "charged": guesses,
                "tries_left": triesLeft, "issued_at": reference("NumericDate"),
            ],
            optional: ["wait_seconds": reference("PinWait")]),
        "PinClearing": object(required: [
            "epoch": reference("PinEpoch"), "window": reference("PinWindow"), "cleared": guesses,
            "issued_at": reference("NumericDate"),
        ]),
        "PinEpoch": counter(from: PinEpoch.first.rawValue, "The number of the server's key for one device."),
        "PinWindow": counter(from: PinWindow.first.rawValue, "How often the count of guesses was cleared."),
        "PinWait": [
            "type": "integer", "minimum": 1, "maximum": .integer(PinWait.longestSeconds),
            "description": "The seconds until the server charges another guess. Absent if it charges one now.",
        ],
        "PinGuessID": binary(byteCount: 32).adding(["description": "A charged guess."]),
        "CurvePoint": text("^A[g-z0-9_-][A-Za-z0-9_-]{63}[AQgw]$", 66...66, "A point of P-384, compressed (SEC 1)."),
    ]

    private static let pinMessage: JSONTree = [
        "type": "string", "description": "A compact JWS (RFC 7515); anything else is refused like a wrong one.",
    ]
    static let answerKey: JSONTree = [
        "type": "object",
        "description": .string(
            "A JWK on P-256 (RFC 7517), which signs the answers about two-party PINs in the header Nightlatch-Answer. "
                + "Pin it."),
    ]
    private static let triesLeft: JSONTree = [
        "type": "integer", "minimum": 0, "maximum": .integer(PinGuessIDs.countLimit),
    ]
    private static let guesses: JSONTree = [
        "type": "array", "items": reference("PinGuessID"), "maxItems": .integer(PinGuessIDs.countLimit),
    ]

    private static func counter(from first: Int, _ description: String) -> JSONTree {
        [
            "type": "integer", "minimum": .integer(first), "maximum": .integer((1 << 53) - 1),
            "description": .string(description),
        ]
    }
}
