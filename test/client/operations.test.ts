import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { clientTypes } from "../../adapters/client-types/client-types.ts"

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"))

describe("client/operations.ts", () => {
  it("has the types of docs/openapi.json; `npm run client:update` writes them", async () => {
    const text = `// Generated from the OpenAPI document; see CONTRIBUTING.md.\n\n${clientTypes(document, "./http.ts")}`
    await expect(text).toMatchFileSnapshot("../../client/operations.ts")
  })
})
