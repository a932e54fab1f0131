import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"

const folder = process.env["SALLYPORT_VECTORS"]

/** A file of the folder that `SALLYPORT_VECTORS` names. */
export const vectorText = (path: string) => readFileSync(join(folder ?? "", path), "utf8")
export const vectors = <A>(path: string): A => JSON.parse(vectorText(path))

/** Tests on data of others, which is not kept here: without it a line says that they do not run. */
export const describeVectors = (name: string, tests: () => void) => {
  if (folder === undefined) console.warn(`SALLYPORT_VECTORS names no folder: ${name} are not judged`)
  describe(name, folder === undefined ? () => it.skip("need SALLYPORT_VECTORS", () => {}) : tests)
}
