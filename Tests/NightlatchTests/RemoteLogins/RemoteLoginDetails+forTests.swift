import NightlatchWire

extension RemoteLoginDetails {
    static func forTests(
        app: String = "Night Bank", place: String? = "192.0.2.7", message: String? = nil, hasNumber: Bool = true
    ) -> RemoteLoginDetails {
        RemoteLoginDetails(
            client: ClientID(unchecked: "night-bank"), app: AppName(unchecked: app),
            place: place.map(RemoteLoginPlace.init(unchecked:)),
            message: message.map(RemoteLoginMessage.init(unchecked:)), hasNumber: hasNumber,
            requestedAt: NumericDate(secondsSince1970: 2_000_000_000),
            expiresAt: NumericDate(secondsSince1970: 2_000_000_180))
    }
}
