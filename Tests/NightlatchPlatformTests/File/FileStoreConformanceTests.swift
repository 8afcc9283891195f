import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("File store, the promises of every store")
struct FileStoreConformanceTests {
    @Test("It keeps each of them", arguments: SecureStoreConformance.allCases)
    func conformance(promise: SecureStoreConformance) async throws {
        let folder = TemporaryFolder()
        try await promise.check { FileStore(path: folder.file) }
    }
}
