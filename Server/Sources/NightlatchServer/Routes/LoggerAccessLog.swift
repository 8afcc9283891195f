import Logging

/// Writes requests down as events of a logger, for who brings no ``AccessLog``.
struct LoggerAccessLog: AccessLog {
    let logger: Logger

    func write(_ request: AnsweredRequest) {
        logger.info(
            "\(AnsweredRequest.message)",
            metadata: Dictionary(uniqueKeysWithValues: request.fields.lazy.map { ($0.key, .string($0.value)) }))
    }
}
