// Writes the documentation of this version to `dist/docs`, for readers of the installed package. The image is built without Markdown files.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import manifest from "../package.json" with { type: "json" }
import { allPages } from "../site/generate/pages.ts"
import { isForPackage, textFiles } from "../site/generate/text-files.ts"
import { filesAddress } from "./repository-address.ts"

const pages = await allPages()
for (const { path, text } of textFiles(pages, pages.filter(isForPackage), filesAddress(manifest))) {
  const file = join(import.meta.dirname, "../dist/docs", path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
