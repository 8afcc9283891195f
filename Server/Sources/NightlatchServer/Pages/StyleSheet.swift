import Crypto
import Foundation
import HTTPTypes
package import Hummingbird
import NightlatchWire

/// A style sheet in its own file. Its address changes with its content, so browsers keep it.
package struct StyleSheet: Sendable {
    private let text: String
    /// A hash of the text, for the query of the address.
    package let version: String

    package init(_ text: String) {
        self.text = text
        version = String(Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)))).prefix(12))
    }

    package var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/css; charset=utf-8", .cacheControl: "public, max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension StyleSheet {
    /// What all pages have in common: login page, console and demonstration begin their style sheets with it. Colours
    /// in light and dark, fonts, corners, the outline of the focused element, and the product's mark.
    package static let common = """
        :root {
          color-scheme: light dark;
          --ground: #f4f5f8; --surface: #ffffff; --text: #161a22; --muted: #4f5968; --line: #d8dde6; --raised: #eef1f6; --field: #7b8594;
          --accent: #2350c7; --on-accent: #ffffff; --grave: #ad1f1a; --on-grave: #ffffff;
          --good: #17653a; --good-ground: #e0f3e7; --warn: #7a4a00; --warn-ground: #fbeecd; --bad: #98201b; --bad-ground: #fbe4e2;
          --calm-ground: #e7eaf0;
          --corner: 6px; --card-corner: 10px;
          --text-font: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
          --code-font: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0f1217; --surface: #171b22; --text: #e7eaf0; --muted: #a5afbe; --line: #2d3541; --raised: #1f252e; --field: #7f8a9a;
            --accent: #93b8ff; --on-accent: #0b1830; --grave: #ff9a91; --on-grave: #330604;
            --good: #86dba6; --good-ground: #143222; --warn: #f2c474; --warn-ground: #382a10; --bad: #ffa9a1; --bad-ground: #421a17;
            --calm-ground: #29303b;
          }
        }
        *, ::before, ::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        code { font: 0.8125rem/1.5 var(--code-font); overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .latch {
          width: 0.9rem; height: 0.9rem; border: 0.2rem solid var(--accent); border-radius: 50%; border-right-color: transparent;
          transform: rotate(-40deg);
        }

        """
}
