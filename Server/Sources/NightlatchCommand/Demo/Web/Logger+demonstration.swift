import Logging

extension Logger {
    /// Says nothing but that all is lost: the page shows what happens. It is no handler that drops everything, since requests find their
    /// names in what it holds.
    static var demonstration: Logger {
        var logger = Logger(label: "nightlatch.demo", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .critical
        return logger
    }
}
