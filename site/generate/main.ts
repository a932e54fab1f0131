import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeLinks, served } from "./links.ts"
import { fileOf, type Page } from "./page.ts"
import { allPages } from "./pages.ts"
import { root } from "./repository.ts"
import { textFiles } from "./text-files.ts"

// Writes the pages of the site from the repository's Markdown, schemas and help texts.

const content = join(root, "site/src/content/docs")
const assets = join(root, "site/public")

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const pages = await allPages()
const isIndex = (page: Page) => pages.some(({ slug }) => slug.startsWith(`${page.slug}/`))
const links = makeLinks(pages)

const folders = [...new Set(pages.map(({ slug }) => slug.split("/")[0]!))]
for (const folder of folders) rmSync(join(content, folder), { recursive: true, force: true })
for (const folder of ["docs", ...folders]) rmSync(join(assets, folder), { recursive: true, force: true })
for (const page of pages) {
  const name = isIndex(page) ? `${page.slug}/index.md` : `${page.slug}.md`
  write(join(content, name), fileOf(page, links(page)))
}
for (const file of served) cpSync(join(root, file), join(assets, file))
const texts = textFiles(pages, pages)
for (const { path, text } of texts) write(join(assets, path), text)
const searched = new Set(pages.flatMap(({ slug, searched }) => (searched === false ? [] : [`${slug}.md`])))
write(
  join(assets, "llms-full.txt"),
  texts
    .filter(({ path }) => searched.has(path))
    .map(({ text }) => text)
    .join("\n"),
)
console.log(`${pages.length} pages`)
