import Foundation
import NightlatchWire

/// All that is kept of the profiles of a device, written as a whole with every change.
struct ProfileRegistryRecord: Codable, Hashable, Sendable {
    static let newestFormat = 1
    static let greatestProfileCount = 32

    /// The entries of the greatest number of profiles, with names and keys as long and as many as there may be, take less.
    private static let limits = JSONLimits(byteCount: 64 * 1024, depth: 8)
    /// Zero stands for a record that was never written; after the greatest none could be.
    private static let revisions = 1...UInt64.max - 1

    private let format: Int
    private(set) var revision: UInt64
    /// In the order in which they were registered.
    private(set) var profiles: [ProfileEntry]

    /// A registry that was never written.
    init() {
        format = Self.newestFormat
        revision = 0
        profiles = []
    }

    private struct Format: Decodable {
        let format: Int
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(ProfileRegistryError) {
        let format: Int
        do {
            format = try StrictJSON.decode(Format.self, from: stored.bytes, limits: Self.limits).format
        } catch {
            throw .corrupt
        }
        guard format <= Self.newestFormat else { throw .newerFormat(found: format, newestKnown: Self.newestFormat) }
        do {
            self = try StrictJSON.decode(Self.self, from: stored.bytes, limits: Self.limits)
        } catch {
            throw .corrupt
        }
        guard format == Self.newestFormat, revision == stored.revision, Self.revisions.contains(revision),
            profiles.count <= Self.greatestProfileCount, Set(profiles.map(\.id)).count == profiles.count,
            profiles.allSatisfy(\.isPossible), StrictJSON.encode(self) == Data(stored.bytes)
        else { throw .corrupt }
    }

    /// The record as it is stored with the next revision.
    func stored() -> StoredRecord {
        var next = self
        next.revision += 1
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }

    var hasRoom: Bool { profiles.count < Self.greatestProfileCount }

    /// The entry of a profile. Setting nil removes it; setting one that is not there adds it at the end.
    subscript(id: ProfileID) -> ProfileEntry? {
        get { profiles.first { $0.id == id } }
        set {
            guard let index = profiles.firstIndex(where: { $0.id == id }) else {
                if let newValue { profiles.append(newValue) }
                return
            }
            if let newValue { profiles[index] = newValue } else { profiles.remove(at: index) }
        }
    }

    mutating func forgetPinLengths() {
        for index in profiles.indices {
            profiles[index].pinLength = nil
            profiles[index].isPinChanging = false
        }
    }
}
