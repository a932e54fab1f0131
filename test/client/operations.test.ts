import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { clientTypes } from "../../adapters/client-types/client-types.ts"

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"))

describe("client/operations.ts", () => {
  it("has the types of docs/openapi.json; `npm run client:update` writes them", async () => {
    await expect(clientTypes(document, "./http.ts")).toMatchFileSnapshot("../../client/operations.ts")
  })
})
