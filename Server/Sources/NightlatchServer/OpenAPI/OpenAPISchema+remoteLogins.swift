import NightlatchWire

extension OpenAPISchema {
    static let remoteLogins: [String: JSONTree] = [
        "RemoteLoginDetails": object(
            required: [
                "client_id": reference("ClientID"),
                "app": shownText(characters: 64, bytes: 256, example: "Night Train"),
                "has_number": ["type": "boolean"], "requested_at": reference("NumericDate"),
                "expires_at": reference("NumericDate"),
            ],
            optional: [
                "place": shownText(characters: 64, bytes: 256, example: "203.0.113.7"),
                "message": shownText(characters: 140, bytes: 560, example: "Booking 4711"),
            ]),
        "RemoteLoginNotice": object(required: [
            "id": reference("RemoteLoginID"), "details": reference("RemoteLoginDetails"),
        ]),
        "RemoteLoginNoticeList": object(required: [
            "logins": list(of: "RemoteLoginNotice"), "limit_reached": ["type": "boolean"],
        ]),
        "RemoteLoginClaim": object(required: [
            "code": text(
                "^[A-Za-z0-9_-]+$", 1...1024, "The text of the login page's QR code, after `#`.", example: "c2Nhbm5lZA")
        ]),
        "RemoteLoginRequest": object(required: ["login": reference("RemoteLoginID")]),
        "RemoteLoginState": [
            "enum": .array(RemoteLoginState.allCases.map { .string($0.rawValue) }), "examples": ["confirmed"],
        ],
        "RemoteLoginResult": object(required: [
            "login": reference("RemoteLoginID"), "state": reference("RemoteLoginState"),
        ]),
    ]
}
