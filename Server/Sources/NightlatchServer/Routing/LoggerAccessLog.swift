import Logging

/// Writes requests down as events of a logger, for who brings no ``AccessLog``.
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
