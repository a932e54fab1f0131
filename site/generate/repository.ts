import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../..")

/** The content of a file of the repository. */
export const read = (path: string) => readFileSync(join(root, path), "utf8")

/** The names of the folders in a folder. */
export const foldersIn = (path: string): ReadonlyArray<string> =>
  readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted()
