internal import Foundation
internal import Nightlatch
public import NightlatchJourney

/// Loggers that every program can use.
public enum LogManager {
    private static let current = Locked<any Logger>(PrintingLogger(printsDetails: nil))

    /// The logger that the program has set, otherwise ``none``. Pass it to a journey: no journey uses it by itself.
    public static var logger: any Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Prints all messages.
    public static var standard: any Logger { PrintingLogger(printsDetails: true) }
    /// Prints warnings and errors.
    public static var warning: any Logger { PrintingLogger(printsDetails: false) }
    /// Prints nothing.
    public static var none: any Logger { PrintingLogger(printsDetails: nil) }
}

private struct PrintingLogger: Logger {
    /// Whether details and normal events are printed; nil if nothing is.
    let printsDetails: Bool?

    func d(_ message: String) { if printsDetails == true { write(message, nil) } }
    func i(_ message: String) { if printsDetails == true { write(message, nil) } }
    func w(_ message: String, error: (any Error)?) { if printsDetails != nil { write(message, error) } }
    func e(_ message: String, error: (any Error)?) { if printsDetails != nil { write(message, error) } }

    private func write(_ message: String, _ error: (any Error)?) {
        // Unlike NSLog, it also shows text with percent signs unchanged.
        print(error.map { "\(message): \($0.localizedDescription)" } ?? message)
    }
}
