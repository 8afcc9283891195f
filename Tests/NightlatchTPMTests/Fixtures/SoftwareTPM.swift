import Foundation
import Nightlatch
import NightlatchTPM
import NightlatchTesting

/// A TPM in software with its own state. It ends with this value, and with this process, however the process ends.
final class SoftwareTPM: Sendable {
    struct Unavailable: Error {}

    private let folder = NSTemporaryDirectory() + "nltpm-\(UUID().uuidString.prefix(8))"
    private let process: Shared<ChildProcess?>

    /// Creates a TPM that is not running.
    private init() {
        process = Shared(nil)
    }

    /// Makes a new TPM and starts it.
    static func start() async throws -> SoftwareTPM {
        let tpm = SoftwareTPM()
        try FileManager.default.createDirectory(atPath: tpm.folder, withIntermediateDirectories: true)
        try await tpm.switchOn()
        return tpm
    }

    /// The address of the TPM for `tpm2-tss`.
    var interface: String { "swtpm:path=\(socket)" }
    var tpm: TPM { TPM(interface: interface) }
    var socket: String { "\(folder)/s" }

    /// All bytes to and from the TPM, as an attacker on its bus sees them.
    func bus() throws -> [UInt8] {
        let log = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/bus")), as: UTF8.self)
        return log.split(separator: "\n").filter { $0.hasPrefix(" ") }.flatMap { line in
            let words = line.split(separator: " ")
            let bytes = words.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
            // Other lines are headings.
            return bytes.count == words.count ? bytes : []
        }
    }

    /// Starts the TPM on its stored state.
    func switchOn() async throws {
        // The shell watches the TPM: it kills it when its own input ends, as it does when this process ends.
        let script = """
            rm -f "$1/s" "$1/s.ctrl" "$1/id"
            swtpm socket --tpm2 --tpmstate dir="$1" --flags not-need-init,startup-clear \
                --server type=unixio,path="$1/s" --ctrl type=unixio,path="$1/s.ctrl" \
                --log file="$1/bus",level=20 --pid file="$1/id" >"$1/log" 2>&1 </dev/null &
            # Written once it listens; its sockets are there before.
            until [ -s "$1/id" ]; do
                kill -0 $! || exit 1
                sleep 0.02
            done
            echo running
            cat >/dev/null
            kill -9 $!
            wait $! 2>/dev/null
            """
        let folder = folder
        let child = try await ChildProcess.blocking {
            let child = try ChildProcess(["sh", "-c", script, "sh", folder])
            guard child.readLine() == "running" else {
                child.finish()
                throw Unavailable()
            }
            return child
        }
        process.withLock { $0 = child }
    }

    /// Kills the TPM, as a loss of power does.
    func kill() async throws {
        guard let child = process.withLock({ $0 }) else { return }
        process.withLock { $0 = nil }
        _ = try await ChildProcess.blocking { child.finish() }
    }

    /// Kills the TPM, and starts it again.
    func losePower() async throws {
        try await kill()
        try await switchOn()
    }

    deinit {
        if let child = process.withLock({ $0 }) { child.finish() }
        // Best effort: the system cleans its temporary folder too.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
