import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeLinks, served } from "./links.ts"
import { fileOf, type Page } from "./page.ts"
import { allPages } from "./pages.ts"
import { root } from "./repository.ts"

// Writes the pages of the site from the repository's Markdown, schemas and help texts.

const content = join(root, "site/src/content/docs")
const assets = join(root, "site/public/docs")

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const pages = await allPages()
const isIndex = (page: Page) => pages.some(({ slug }) => slug.startsWith(`${page.slug}/`))
const links = makeLinks(pages)

for (const folder of new Set(pages.map(({ slug }) => slug.split("/")[0]!))) rmSync(join(content, folder), { recursive: true, force: true })
rmSync(assets, { recursive: true, force: true })
for (const page of pages) {
  const name = isIndex(page) ? `${page.slug}/index.md` : `${page.slug}.md`
  write(join(content, name), fileOf(page, links(page)))
}
for (const file of served) cpSync(join(root, file), join(root, "site/public", file))
console.log(`${pages.length} pages`)
