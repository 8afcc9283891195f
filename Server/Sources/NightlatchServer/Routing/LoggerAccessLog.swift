import Logging

/// An ``AccessLog`` that logs requests as events of a logger. It is the default.
struct LoggerAccessLog: AccessLog {
    let logger: Logger

    func write(_ request: AnsweredRequest) {
        logger.info(
            "\(AnsweredRequest.message)",
            metadata: [
                RelyingPartyRequestContext.idKey: .string(request.id),
                "route": .string(request.route),
                "status": .stringConvertible(request.status),
                "microseconds": .stringConvertible(request.microseconds),
            ])
    }
}
