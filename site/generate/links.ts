import { dirname, join } from "node:path/posix"
import { outsideCode, slugOf, withoutCode } from "./markdown.ts"
import type { Page } from "./page.ts"

const isOutside = (target: string) => /^([a-z]+:|\/)/.test(target)

/** Files that the site serves as they are. */
export const served = ["docs/openapi.json", "docs/schema.graphql"]

/** Files of the repository that pages link to, but that are not pages. */
export const linkedFiles = (pages: ReadonlyArray<Page>): ReadonlyArray<string> => {
  const own = new Set([...pages.map(({ source }) => source), ...served])
  const targets = pages.flatMap(({ body, source }) => relativeLinks(body).map((link) => resolve(source, link).file))
  return [...new Set(targets)].filter((file) => !own.has(file)).toSorted()
}

const relativeLinks = (body: string): ReadonlyArray<string> =>
  [...withoutCode(body).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => (isOutside(target) ? [] : [target]))

/** The file that a link of a file leads to, and the section in it. */
export const resolve = (source: string, link: string) => {
  const [path = "", anchor = ""] = link.split("#")
  const target = path === "" ? source : join(dirname(source), path)
  return { file: /\.\w+$|(^|\/)Dockerfile$/.test(target) ? target : join(target, "README.md"), anchor }
}

/** Rewrites links between files of the repository to links between pages. A link that leads nowhere is an error. */
export const makeLinks = (pages: ReadonlyArray<Page>) => {
  const byFile = Map.groupBy(pages, ({ source }) => source)
  return (page: Page): string =>
    outsideCode(page.body, (text) =>
      text.replace(/\]\(([^)\s]+)\)/g, (whole, link: string) => (isOutside(link) ? whole : `](${target(page, link, byFile)})`)),
    )
}

const target = (page: Page, link: string, byFile: ReadonlyMap<string, ReadonlyArray<Page>>) => {
  const { file, anchor } = resolve(page.source, link)
  if (served.includes(file)) return `/${file}`
  const candidates = byFile.get(file) ?? []
  const found = anchor === "" ? candidates[0] : candidates.find(({ headings }) => headings.some((heading) => slugOf(heading) === anchor))
  if (found === undefined) throw new Error(`${page.source} links to ${link}, which is not a page`)
  const isTop = anchor === "" || slugOf(found.headings.find((heading) => heading !== "") ?? "") === anchor
  return `/${found.slug}/${isTop ? "" : `#${anchor}`}`
}
