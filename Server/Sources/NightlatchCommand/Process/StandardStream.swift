import Foundation

/// Writing to stdout and stderr at once, also into a pipe: what waits for a line must not wait for a buffer to fill.
enum StandardStream {
    static func writeLine(_ line: String, to stream: FileHandle) {
        do {
            try stream.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            // Nobody reads any more, and there is nowhere else to say so.
            return
        }
    }
}
