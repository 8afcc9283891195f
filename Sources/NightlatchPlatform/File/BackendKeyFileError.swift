import Foundation
public import Nightlatch

/// The reason why a backend key could not be read from its file. Nothing was changed.
public enum BackendKeyFileError: Error, Hashable, Sendable {
    /// There is no such file. `nightlatch serve` makes it at its first start.
    case missing
    /// The file is no regular file, or this process may not read it, or other users may read or write it. Give it to
    /// the user that the backend runs as, and `chmod 600` it. Replace the key if others had access.
    case refused
    /// The first line of the file is no key.
    case malformed
    /// The key is so short that it can be guessed: it must have at least `BackendKeyRule.characterCountMinimum`
    /// characters.
    case tooShort
    /// The file cannot be read now.
    case unreadable(StoreError)

    init(_ error: StoreError) {
        self =
            switch error.code {
            case .refused: .refused
            case .unavailable where error.systemStatus == ENOENT: .missing
            case .conflict, .unavailable, .full, .corrupt, .newerFormat: .unreadable(error)
            }
    }
}
