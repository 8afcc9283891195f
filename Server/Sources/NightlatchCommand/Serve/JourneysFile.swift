import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// The file of `--journeys`.
enum JourneysFile {
    /// Reads and checks the journeys of the file at `path`.
    static func configuration(path: String) throws(CommandFailure) -> JourneyConfiguration {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        do {
            guard descriptor >= 0 else { throw SystemError(number: errno) }
            let file = ByteReader(descriptor: descriptor)
            // Reading one byte more than the limit shows that the file is too large.
            while bytes.count <= JourneyConfiguration.byteCountLimit, let byte = try file.next() { bytes.append(byte) }
        } catch {
            throw CommandFailure(.usage, "cannot read the journeys \(path): \(error).")
        }
        do {
            return try JourneyConfiguration(bytes)
        } catch {
            throw CommandFailure(.usage, "cannot serve the journeys \(path). \(error).")
        }
    }
}
