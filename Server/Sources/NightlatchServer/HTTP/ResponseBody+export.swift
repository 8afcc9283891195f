package import Hummingbird
package import NightlatchRelyingParty

extension ResponseBody {
    /// The document of an export. If the user is deleted while it is sent, the connection is closed before its end.
    package init(_ export: UserExport) {
        self.init { writer in
            for try await part in export { try await writer.write(ByteBuffer(bytes: part)) }
            try await writer.finish(nil)
        }
    }
}
