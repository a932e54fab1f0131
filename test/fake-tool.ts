import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Effect } from "effect"

export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-test-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
)

/** Puts a shell script on the PATH, in place of a program that not every machine has. It runs in the folder that is returned. */
export const fakeTool = Effect.fnUntraced(function* (name: string, script: string) {
  const folder = yield* temporaryFolder
  writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${script}\n`, { mode: 0o755 })
  const path = process.env["PATH"] ?? ""
  const setPath = (value: string) =>
    Effect.sync(() => {
      process.env["PATH"] = value
    })
  yield* Effect.acquireRelease(setPath(`${folder}${delimiter}${path}`), () => setPath(path))
  return folder
})
