import { keywords } from "./keywords.ts"
import { outsideCode, plain, type Section, textOf, withoutCode } from "./markdown.ts"

/** One page of the site. */
export interface Page {
  /** The path of the page, without slashes at its ends. */
  readonly slug: string
  readonly title: string
  readonly body: string
  /** The file that relative links in `body` start from. */
  readonly source: string
  /** The headings of `source` that this page has. Links to other sections of `source` lead to other pages. */
  readonly headings: ReadonlyArray<string>
  /** Pages that only show a file are not searched. */
  readonly searched?: false
}

/** A page of these paragraphs, which is made from a source that is not Markdown. */
export const madePage = (slug: string, title: string, source: string, paragraphs: ReadonlyArray<string>): Page => ({
  slug,
  title,
  source,
  headings: [],
  body: paragraphs.join("\n\n"),
})

/** A page of sections of a file. */
export const pageOf = (source: string, sections: ReadonlyArray<Section>, slug: string, title?: string): Page => {
  const [first, ...others] = sections.filter(({ heading, body }) => heading !== "" || body.trim() !== "")
  if (first === undefined) throw new Error(`${source} has nothing for the page ${slug}`)
  const shift = Math.max(0, first.level - 1)
  return {
    slug,
    title: title ?? plain(first.heading),
    body: `${first.body}\n${textOf(others, shift)}`,
    source,
    headings: sections.map(({ heading }) => heading),
  }
}

/** The first sentence of a page, for search engines and lists. */
export const descriptionOf = ({ body }: Page): string | undefined => {
  const paragraph = withoutCode(withoutComments(body)).match(/^(?![|<`#>-])\S.*/m)?.[0]
  return paragraph === undefined
    ? undefined
    : plain(paragraph)
        .match(/^.*?[.:](?= |$)/)?.[0]
        .replace(/:$/, ".")
}

export const withoutComments = (text: string) => outsideCode(text, (part) => part.replace(/^<!--[\s\S]*?-->\n?/gm, ""))

/** A `meta` whose content is part of the search index. */
const indexed = (words: string) => ({ name: "keywords", content: words, "data-pagefind-meta": "keywords[content]" })

/** The file of a page: its front matter and its text. The links in `body` already lead to pages of the site. */
export const fileOf = (page: Page, body: string): string => {
  const description = descriptionOf(page)
  const words = keywords[page.slug]
  const front = [
    `title: ${JSON.stringify(page.title)}`,
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(page.searched === false ? ["pagefind: false"] : []),
    ...(words === undefined ? [] : [`head: [{ tag: meta, attrs: ${JSON.stringify(indexed(words))} }]`]),
  ]
  return `---\n${front.join("\n")}\n---\n\n${withoutComments(body).trim()}\n`
}
