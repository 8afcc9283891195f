import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let devices = [
        OpenAPIOperation(
            route: .devices, name: "listDevices", summary: "The caller's own devices.",
            details: "All devices of the user, also revoked ones. `current` marks the caller.", caller: .session,
            answer: "DeviceList", nonce: .always),
        OpenAPIOperation(
            route: .renameDevice, name: "renameDevice", summary: "Renames one of the caller's own devices.",
            details: "The name is shown to the user and to operators.",
            caller: .session, body: .json(schema: "RenameDeviceRequest"),
            parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")], answer: "DeviceSummary",
            nonce: .always, refusals: [.notFound]),
        OpenAPIOperation(
            route: .blockDevice, name: "blockDevice",
            summary: "Blocks one of the caller's own devices until that is undone.",
            details: "A blocked device gets no login, no refresh and no decision, and keeps its keys. Idempotent.",
            caller: .session,
            parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")], answer: "DeviceSummary",
            nonce: .always, refusals: [.notFound]),
        OpenAPIOperation(
            route: .unblockDevice, name: "unblockDevice", summary: "Undoes the user's own block of a device.",
            details: "A block by an operator stays. Idempotent.",
            caller: .session, parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")],
            answer: "DeviceSummary", nonce: .always, refusals: [.notFound, .blockedByOperator]),
        OpenAPIOperation(
            route: .revokeDevice, name: "revokeDevice", summary: "Revokes one of the caller's own devices.",
            details: """
                Cannot be undone: the device deletes its keys, and its user needs a new enrolment code. \
                Idempotent.
                """,
            caller: .session, parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")],
            answer: "DeviceSummary", nonce: .always, refusals: [.notFound]),
    ]
}
