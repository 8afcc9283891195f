import Logging

extension Logger {
    /// A logger that logs only critical events, because the page shows everything else.
    ///
    /// A handler that drops everything would not work: the server reads the id of a request from the handler's
    /// metadata.
    static var demonstration: Logger {
        var logger = Logger(label: "nightlatch.demo", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .critical
        return logger
    }
}
