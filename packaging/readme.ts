// Points the links of README.md at the documentation in the package, or at the repository, for the tarball: npm packs the file of the
// repository. Without a repository in package.json, a link that leads nowhere becomes plain text.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { resolve } from "../site/generate/links.ts"
import { outsideCode, slugOf } from "../site/generate/markdown.ts"
import type { Page } from "../site/generate/page.ts"
import { allPages } from "../site/generate/pages.ts"
import { isForPackage } from "../site/generate/text-files.ts"
import { filesAddress, type Published } from "./repository-address.ts"

/** The README of the tarball. `kept` are the pages in it, `files` its other files, `address` is where the repository's files are. */
export const forTarball = (text: string, kept: ReadonlyArray<Page>, files: ReadonlyArray<string>, address: string | undefined): string => {
  const target = (link: string): string | undefined => {
    const { file, anchor } = resolve("README.md", link)
    if (files.includes(file)) return file
    const page = kept.find(({ source, headings }) => source === file && (anchor === "" || headings.map(slugOf).includes(anchor)))
    const hash = anchor === "" ? "" : `#${anchor}`
    if (page !== undefined) return `dist/docs/${page.slug}.md${hash}`
    return address === undefined ? undefined : `${address}/${file}${hash}`
  }
  return outsideCode(text, (part) =>
    part.replace(/\[([^\]]*)\]\((?![a-z]+:)([^)\s]+)\)/g, (_, label: string, link: string) => {
      const found = target(link)
      return found === undefined ? label : `[${label}](${found})`
    }),
  )
}

const root = join(import.meta.dirname, "..")
const path = join(root, "README.md")
/** The README of the repository while that of the tarball is in its place. */
const kept = join(root, ".cache/README.md")
const read = (file: string) => readFileSync(file, "utf8")

const replace = async () => {
  const manifest: Published = JSON.parse(read(join(root, "package.json")))
  const pages = (await allPages()).filter(isForPackage)
  const made = (text: string) => forTarball(text, pages, manifest.files, filesAddress(manifest))
  const current = read(path)
  // A run that was interrupted has left the file of the tarball.
  if (existsSync(kept) && made(read(kept)) === current) return
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, current)
  writeFileSync(path, made(current))
}

const restore = () => {
  if (!existsSync(kept)) return
  writeFileSync(path, read(kept))
  rmSync(kept)
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === "dist") await replace()
  else if (process.argv[2] === "source") restore()
  else throw new Error("wanted dist or source")
}
