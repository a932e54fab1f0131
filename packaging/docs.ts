// Writes the documentation of this version to `dist/docs`, for readers of the installed package. The image is built without Markdown files.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { allPages } from "../site/generate/pages.ts"
import { isForPackage, textFiles } from "../site/generate/text-files.ts"

const pages = await allPages()
for (const { path, text } of textFiles(pages, pages.filter(isForPackage))) {
  const file = join(import.meta.dirname, "../dist/docs", path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
