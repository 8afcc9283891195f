import Foundation
import NightlatchWire
import Testing

@Suite("Documentation of problem codes")
struct ErrorDocumentationTests {
    @Test("The documentation lists exactly the problem codes, in the same order")
    func codes() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/errors.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let codes = text.matches(of: /(?m)^\| `([a-z_]+)` \|/).map { String($0.1) }
        #expect(codes == ProblemCode.all.map(\.rawValue))
    }
}
