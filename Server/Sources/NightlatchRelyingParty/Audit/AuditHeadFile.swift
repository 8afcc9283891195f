import Foundation
public import NightlatchWire

/// A file to which signed heads of the audit log are appended, one on each line.
///
/// It holds no secret. No line is ever changed, so the file may be on append-only storage.
public struct AuditHeadFile: Hashable, Sendable {
    /// The longest line that is read as a head, in bytes.
    private static let lineByteCountLimit = 4096

    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// The contents of the file.
    public struct Contents: Hashable, Sendable {
        /// The verified heads, in the order of their lines.
        public internal(set) var heads: [ExportedAuditHead] = []
        /// The heads that an operator has accepted as lost with a restored store.
        public internal(set) var lostHeads: Set<AuditHead> = []
        /// The numbers, from 1, of the lines that hold nothing signed by the key that was passed to `read(signedBy:)`.
        ///
        /// A crash truncated such a line, another key signed it, or it was forged.
        public internal(set) var refusedLines: [Int] = []

        /// The heads that the audit log must reach: those that no operator has accepted as lost.
        ///
        /// An acceptance names its head. So a repeated old line has no effect, and neither has a wrong clock.
        package var standingHeads: [AuditHead] { heads.map(\.head).filter { !lostHeads.contains($0) } }

        /// Whether the file has lines, and none is signed by the key.
        package var isForeign: Bool { heads.isEmpty && lostHeads.isEmpty && !refusedLines.isEmpty }

        /// Adds what `line` states.
        fileprivate mutating func add(_ line: String, signedBy key: PublicJWK) throws(ExportedAuditHead.Refusal) {
            do {
                heads.append(try ExportedAuditHead(line, signedBy: key))
            } catch .wrongType(.auditRestore) {
                let claims: AuditRestoreClaims = try ExportedAuditHead.claims(of: line, signedBy: key)
                lostHeads.insert(claims.head)
            }
        }
    }

    /// Reads the file. Empty lines are ignored.
    ///
    /// - Parameter key: ``AuditKey/publicKey``.
    /// - Throws: ``AuditHeadFileError``; `missing` if there is no such file.
    public func read(signedBy key: PublicJWK) throws(AuditHeadFileError) -> Contents {
        var contents = Contents()
        for (index, line) in try bytes().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        where !line.isEmpty {
            guard line.count <= Self.lineByteCountLimit, let text = String(validating: line, as: UTF8.self) else {
                contents.refusedLines.append(index + 1)
                continue
            }
            do {
                try contents.add(text, signedBy: key)
            } catch {
                contents.refusedLines.append(index + 1)
            }
        }
        return contents
    }

    /// Appends `lines`, creating the file if needed, and returns once they are on disk.
    ///
    /// Several processes may append to one file. After a crash the last line may be truncated; the next call then
    /// begins a new line.
    package func append(_ lines: [String]) throws(AuditHeadFileError) {
        let descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, mode_t(0o644))
        guard descriptor >= 0 else { throw .failed(errno: errno) }
        defer { _ = close(descriptor) }
        let end = lseek(descriptor, 0, SEEK_END)
        var last = UInt8(ascii: "\n")
        if end > 0 {
            guard unsafe pread(descriptor, &last, 1, end - 1) == 1 else { throw .failed(errno: errno) }
        }
        var text = lines.map { $0 + "\n" }.joined()
        if last != UInt8(ascii: "\n") { text = "\n" + text }
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = unsafe left.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .failed(errno: errno) }
            left = left.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw .failed(errno: errno) }
    }

    private func bytes() throws(AuditHeadFileError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .failed(errno: errno) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // Ends: at the end of the file.
        while true {
            let count = unsafe Foundation.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw .failed(errno: errno) }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }
}

/// The reason why heads could not be read or written.
public enum AuditHeadFileError: Error, Hashable, Sendable {
    /// There is no such file.
    case missing
    /// The system call failed with this `errno`. Part of the lines may have been appended.
    case failed(errno: Int32)
}
