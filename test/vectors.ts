import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A file in the folder of `SALLYPORT_VECTORS`: published test data, which is not in this repository. */
export const vectorText = (path: string): string => {
  const folder = process.env["SALLYPORT_VECTORS"]
  if (folder === undefined) throw new Error("SALLYPORT_VECTORS has to name the folder of the vectors")
  return readFileSync(join(folder, path), "utf8")
}

export const vectors = <A>(path: string): A => JSON.parse(vectorText(path))
