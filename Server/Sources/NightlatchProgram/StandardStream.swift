package import Foundation

/// Writes to stdout and stderr without buffering, also into a pipe: a program that waits for a line must not wait for a
/// full buffer.
package enum StandardStream {
    package static func writeLine(_ line: String, to stream: FileHandle) {
        do {
            try stream.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            // The stream cannot be written, for example because its reader has ended. There is no other place to report
            // it.
            return
        }
    }
}
