import NightlatchWire

extension OpenAPISchema {
    static let transactions: [String: JSONTree] = [
        "TransactionDetails": closedObject(required: [
            "amount": text(
                #"^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,4})?$"#, 1...20, "Shown unchanged.", example: "129.90"),
            "currency": text("^[A-Z]{3}$", 3...3, "A currency code of ISO 4217.", example: "EUR"),
            "payee": shownText(characters: 140, bytes: 560, example: "Night Train Ltd"),
            "lines": [
                "type": "array", "maxItems": .integer(TransactionDetails.lineCountLimit),
                "items": reference("TransactionLine"),
            ],
            "expires_at": reference("NumericDate"),
        ]).adding([
            "description": .string(
                "Everything that the user is shown. In canonical form (RFC 8785) at most "
                    + "\(TransactionDetails.byteCountLimit) bytes.")
        ]),
        "TransactionLine": closedObject(required: [
            "label": shownText(characters: 40, bytes: 160, example: "Journey"),
            "value": shownText(characters: 200, bytes: 800, example: "Vienna to Hamburg"),
        ]),
        "TransactionAddressees": [
            // Generated clients try the alternatives in this order, and may take a text for any value.
            "oneOf": [
                [
                    "type": "array", "items": reference("DeviceID"), "uniqueItems": true,
                    "minItems": .integer(TransactionAddressees.countRange.lowerBound),
                    "maxItems": .integer(TransactionAddressees.countRange.upperBound),
                ],
                ["const": "all"],
            ],
            "examples": ["all"],
        ],
        "TransactionState": [
            "enum": .array(TransactionState.allCases.map { .string($0.rawValue) }), "examples": ["confirmed"],
        ],
        "TransactionRequest": object(required: request),
        "TransactionReport": object(
            required: request.merging(
                ["state": reference("TransactionState"), "created_at": reference("NumericDate")]) { $1 },
            optional: ["ended_at": reference("NumericDate"), "proof": reference("DecisionProof")]),
        "TransactionReportList": object(required: ["transactions": list(of: "TransactionReport")]),
        "DecisionProof": object(required: [
            "device": reference("DeviceID"), "key": reference("PublicKey"),
            "message": ["type": "string", "examples": [.string(OpenAPIExample.signedMessage)]],
        ]),
        "TransactionNotice": object(required: [
            "id": reference("TransactionID"), "details": reference("TransactionDetails"),
        ]),
        "TransactionNoticeList": object(required: ["transactions": list(of: "TransactionNotice")]),
        "DecisionRequest": object(required: ["transaction": reference("TransactionID")]),
        "DecisionResult": object(required: [
            "transaction": reference("TransactionID"), "state": reference("TransactionState"),
        ]),
    ]

    private static let request: [String: JSONTree] = [
        "id": reference("TransactionID"), "user": reference("UserID"), "devices": reference("TransactionAddressees"),
        "details": reference("TransactionDetails"),
    ]
}
