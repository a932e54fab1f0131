import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { repository, start } from "./program.ts"

it("the example of a GraphQL client signs up, reads the viewer and signs out", async () => {
  const { port } = await start({ store: { kind: "memory" } })
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(repository, "examples/graphql-client/main.ts"),
    `http://localhost:${port}/graphql`,
    "grace@example.com",
  ])
  expect(stdout.trim().split("\n")).toEqual(["signed up: grace@example.com", "signed in by: credential", "sessions: 1", "signed in: false"])
})
