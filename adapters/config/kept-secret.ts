import { randomBytes } from "node:crypto"
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** 256 bits, base64url. */
export const newSecret = (): string => randomBytes(32).toString("base64url")

/** Reads the secret from a file that only its owner can read, and creates it at the first call. For development: in production the environment provides the secret. */
export const keptSecret = (file: string): string => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    // A hard link is atomic: two processes that start at the same time read the same secret.
    writeFileSync(draft, `${newSecret()}\n`, { mode: 0o600 })
    publish(draft, file)
    return readFileSync(file, "utf8").trim()
  }
}

const publish = (draft: string, file: string) => {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    unlinkSync(draft)
  }
}
