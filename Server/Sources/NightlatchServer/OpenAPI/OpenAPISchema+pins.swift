import NightlatchWire

extension OpenAPISchema {
    static let pins: [String: JSONTree] = [
        "PinRequest": object(required: ["message": signedMessage]),
        "PinOpeningRequest": object(
            required: ["message": signedMessage], optional: ["enrolment_code": reference("TypedEnrolmentCode")]),
        "PinPromotionRequest": object(required: ["message": signedMessage, "knowledge_key_message": signedMessage]),
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
            optional: ["answer_key": reference("AnswerKey")]),
        "PinEvaluation": object(
            required: [
                "epoch": reference("PinEpoch"), "window": reference("PinWindow"), "guess": reference("PinGuessID"),
                "evaluated_element": reference("CurvePoint"), "proof": proof, "charged": guesses,
                "tries_left": triesLeft, "issued_at": reference("NumericDate"),
            ],
            optional: ["wait_seconds": reference("PinWait")]),
        "PinClearing": object(required: [
            "epoch": reference("PinEpoch"), "window": reference("PinWindow"), "cleared": guesses,
            "issued_at": reference("NumericDate"),
        ]),
        "AnswerKey": [
            "type": "object",
            "description": """
            A JWK on P-256 (RFC 7517), which signs the answers about two-party PINs in the header Nightlatch-Answer. \
            Pin it.
            """,
            "examples": [
                [
                    "kty": "EC", "crv": "P-256", "x": "MK9YsIfwGDQlIDwHKzpw6HHjuZvh9DxvxUGIQoEMQAE",
                    "y": "pfDrmUDZLzl63E2YSJPhHO2hLMA2HvQGkZa7WhQBHF4",
                ]
            ],
        ],
        "PinEpoch": counter(from: PinEpoch.first.rawValue, "The number of the server's key for one device."),
        "PinWindow": counter(from: PinWindow.first.rawValue, "How often the count of guesses was cleared."),
        "PinWait": [
            "type": "integer", "minimum": 1, "maximum": .integer(PinWait.longestSeconds),
            "description": "The seconds until the server charges another guess. Absent if it charges one now.",
        ],
        "PinGuessID": binary(byteCount: 32, example: "LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM").adding([
            "description": "A charged guess."
        ]),
        "CurvePoint": text(
            "^A[g-z0-9_-][A-Za-z0-9_-]{63}[AQgw]$", 66...66, "A point of P-384, compressed (SEC 1).",
            example: "AgQir1-Mbgkx73jkOkfDAyPYbLOOEIDGLhwPDcuHYyoyk8DIcfujtmJ0vvy6ZhC1Lw"),
    ]

    private static let proof = binary(
        byteCount: 96,
        example: "VKWbnyKwuAiA2EJ-VIt8I6vYc0huHwNdzpzWl-hRdQM8qojm1XvDXvrgta_TFF8x"
            + "mKkGGCzc-x6060cRdgD2iVji3dFAJItHmE9L3mWHuJyCFcPaiVozbpStGso5AVxA")
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
