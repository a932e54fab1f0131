import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join, parse } from "node:path"
import type { Frame } from "./raw-record.ts"

/** The default path of the file for refused records: `users.refused.csv` for `users.csv`. */
export const refusedPath = (path: string): string => {
  const { name, ext } = parse(path.replace(/\.gz$/, ""))
  return join(dirname(path), `${name}.refused${ext}`)
}

/**
 * A file for refused records, in the format of their own file. Records are written at a position, the committed length of the file: a
 * resumed run overwrites records that the killed run wrote without committing. The file may contain password hashes: only its owner can
 * read it.
 */
export const refusedFile = (path: string, { header, separator, footer }: Frame) => ({
  exists: () => existsSync(path),
  /** Returns the new end of the file. */
  write: async (raw: ReadonlyArray<string>, position: number): Promise<number> => {
    if (raw.length === 0) return position
    const begin = position === 0 ? header : separator
    const from = position === 0 ? 0 : position - Buffer.byteLength(footer)
    const text = Buffer.from(`${begin}${raw.join(separator)}${footer}`)
    const file = await open(path, existsSync(path) ? "r+" : "wx", 0o600)
    try {
      await file.write(text, 0, text.length, from)
      await file.truncate(from + text.length)
    } finally {
      await file.close()
    }
    return from + text.length
  },
})
