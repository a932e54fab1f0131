import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { buildServer, root } from "../packaging/server.ts"

/** Builds the program for a run of end-to-end tests: a built one starts in a third of the processor time. Its folder is in PROGRAM_FOLDER. */
export const setup = async () => {
  const cache = join(root, ".cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "program-"))
  await buildServer([], folder)
  process.env["PROGRAM_FOLDER"] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
