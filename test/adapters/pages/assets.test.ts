import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { files } from "../../../adapters/pages/assets.generated.ts"
import { assetsModule } from "../../../packaging/page-assets.ts"
import { modules } from "../../everything.ts"
import { served } from "../http/served.ts"
import { browse } from "./browse.ts"

const compressed = (text: string) => gzipSync(text).length

describe("the files of the pages", () => {
  it("are built from the sources: npm run pages:update", async () => {
    const generated = readFileSync(join(import.meta.dirname, "../../../adapters/pages/assets.generated.ts"), "utf8")
    assert.strictEqual(generated, await assetsModule())
  })

  it("are small: at most 10 kB of script for passkeys and 6 kB for the console, compressed", () => {
    assert.isBelow(compressed(files["passkey.js"] ?? ""), 10_000)
    assert.isBelow(compressed(files["wallet.js"] ?? ""), 2000)
    assert.isBelow(compressed(files["console.js"] ?? ""), 6000)
  })

  it.layer(served({ modules, pages: {}, providers: ["google", "github", "apple"] }))((it) => {
    it.effect("are kept for a year under names with a hash, and the sign-in page has at most 20 kB with all of them", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/sign-in")
        let size = compressed(page.html)
        const linked = [...page.html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)
        const theme = yield* her.request("GET", linked.find((path) => path.includes("/theme.")) ?? "")
        const icons = [...theme.text.matchAll(/url\("([^"]+)"\)/g)].map(([, name]) => `/assets/${name}`)
        assert.lengthOf(icons, 8)
        for (const path of [...linked, ...icons]) {
          assert.match(path, /^\/assets\/[a-z-]+\.[0-9a-f]{12}\.(css|js|svg)$/)
          const { headers, status, text } = yield* her.request("GET", path)
          assert.deepStrictEqual([status, headers["cache-control"]], [200, "public, max-age=31536000, immutable"])
          size += compressed(text)
        }
        assert.isBelow(size, 20_000)
        assert.strictEqual((yield* her.request("GET", "/assets/page.css")).status, 404)
      }),
    )
  })
})
