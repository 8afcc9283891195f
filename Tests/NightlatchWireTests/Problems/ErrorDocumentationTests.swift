import Foundation
import NightlatchWire
import Testing

@Suite("The documentation of problem codes")
struct ErrorDocumentationTests {
    @Test("lists every code there is, in the same order, and no other")
    func codes() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/errors.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let codes = text.matches(of: /(?m)^\| `([a-z_]+)` \|/).map { String($0.1) }
        #expect(codes == ProblemCode.all.map(\.rawValue))
    }
}
