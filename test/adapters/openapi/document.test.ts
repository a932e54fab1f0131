import { describe, expect, it } from "vitest"
import { described } from "./described.ts"

const document = described()

describe("the document", () => {
  it("is the one in docs/openapi.json; `npm run openapi:update` regenerates it", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../../docs/openapi.json")
  })
})
