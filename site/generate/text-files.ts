import { dirname, relative } from "node:path/posix"
import { makeLinks } from "./links.ts"
import { outsideCode } from "./markdown.ts"
import { descriptionOf, type Page, withoutComments } from "./page.ts"

export interface TextFile {
  readonly path: string
  readonly text: string
}

const sections: Readonly<Record<string, string>> = {
  start: "Learn",
  guides: "Do",
  frameworks: "Do",
  "moving-in": "Do",
  modules: "Look up",
  reference: "Look up",
  understand: "Understand",
}

/**
 * Pages as Markdown files that link to each other, and `llms.txt`, which lists them. Links to others lead to their sources below
 * `address`; without one they become plain text, or disappear in parentheses of their own, since "(more)" says nothing without its link.
 */
export const textFiles = (pages: ReadonlyArray<Page>, kept: ReadonlyArray<Page>, address?: string): ReadonlyArray<TextFile> => {
  const links = makeLinks(pages)
  const slugs = new Set(kept.map(({ slug }) => slug))
  const outside = (slug: string) => {
    const source = pages.find((page) => page.slug === slug)?.source
    return address === undefined || source === undefined || slug.startsWith("reference/") ? undefined : `${address}/${source}`
  }
  const textOf = (page: Page) => {
    const target = (slug: string) => (slugs.has(slug) ? relative(dirname(page.slug), `${slug}.md`) : outside(slug))
    return outsideCode(withoutComments(links(page)), (text) =>
      text
        .replace(new RegExp(` \\(${link}\\)`, "g"), (whole, _label, slug: string) => (target(slug) === undefined ? "" : whole))
        .replace(new RegExp(link, "g"), (_, label: string, slug: string, anchor = "") =>
          target(slug) === undefined ? label : `[${label}](${target(slug)}${anchor})`,
        ),
    ).trim()
  }
  const files = kept.map((page) => ({ path: `${page.slug}.md`, text: `# ${page.title}\n\n${textOf(page)}\n` }))
  return [...files, { path: "llms.txt", text: listOf(kept.filter(({ searched }) => searched !== false)) }]
}

/** A link to a page: its label, slug and anchor. */
const link = String.raw`\[([^\]]*)\]\(\/([^)#\s]*?)\/?(#[^)\s]*)?\)`

const listOf = (pages: ReadonlyArray<Page>): string => {
  const groups = [...Map.groupBy(pages, ({ slug }) => sections[slug.split("/")[0]!])].map(
    ([name, members]) => `## ${name}\n\n${members.map(lineOf).join("\n")}`,
  )
  return `${["# Sallyport", "> An authentication and identity server: your users' accounts on your own machines.", ...groups].join("\n\n")}\n`
}

const lineOf = (page: Page): string => {
  const description = descriptionOf(page)
  return `- [${page.title}](${page.slug}.md)${description === undefined ? "" : `: ${description}`}`
}

/**
 * The pages for users of the package. Its own lists of errors and endpoints, and its help, replace the pages of one error and of commands;
 * pages for operators are on the site.
 */
export const isForPackage = ({ slug, searched }: Page): boolean =>
  searched !== false &&
  !/^(understand|reference\/errors)\/|^reference\/(commands|endpoints)$|^guides\/(production|scaling|monitoring|deployment)$/.test(slug)
