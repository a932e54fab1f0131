import { createRequire } from "node:module"

interface Manifest {
  readonly version: string
  readonly license: string
}

/** The package.json of this package. Not an import: the compiler would copy the file into `dist`. */
export const manifest: Manifest = createRequire(import.meta.url)("sallyport/package.json")
