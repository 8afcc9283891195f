import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("File store, conformance")
struct FileStoreConformanceTests {
    @Test("The file store passes every store conformance check", arguments: SecureStoreConformance.allCases)
    func conformance(promise: SecureStoreConformance) async throws {
        let folder = TemporaryFolder()
        try await promise.check { FileStore(path: folder.file) }
    }
}
