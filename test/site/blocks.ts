import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { errorPages } from "../../site/generate/errors.ts"
import { frameworkPages } from "../../site/generate/frameworks.ts"
import { modulePages } from "../../site/generate/module-pages.ts"
import { replacements } from "../../site/generate/moving-code.ts"
import { nextTutorial } from "../../site/generate/next-tutorial.ts"

export const root = join(import.meta.dirname, "../..")

/** A code block, with the comments in front of it that begin with `docs:`. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** Code in front of the block that readers do not see. */
  readonly given: string
  /** Why the block is not run at all. */
  readonly notRun: string | undefined
  /** Why the block is compiled and not run. */
  readonly typesOnly: string | undefined
  /** What a command prints, if a block right below it says so; `…` represents values that differ each time. */
  readonly printed: string | undefined
}

const marked = /((?:<!-- docs: [\s\S]*?-->\s*)*)^```(\w*)\n([\s\S]*?)^```$/gm

const markOf = (marks: string, name: string): string | undefined =>
  marks.match(new RegExp(`<!-- docs: ${name}[:\\s]\\s*([\\s\\S]*?)\\s*-->`))?.[1]

/** The code blocks of a page. */
export const blocksOf = (page: string, markdown: string): ReadonlyArray<Block> => {
  const found = matched(page, markdown)
  const fences = markdown.match(/^\s*```/gm)?.length ?? 0
  if (fences !== 2 * found.length) throw new Error(`${page} has a code block that cannot be read: begin its fence in the first column`)
  return found
}

const matched = (page: string, markdown: string): ReadonlyArray<Block> =>
  [...markdown.matchAll(marked)].map(({ 0: whole, 1: marks = "", 2: language = "", 3: text = "", index }) => ({
    page,
    line: markdown.slice(0, index + marks.length).split("\n").length,
    language,
    text,
    given: markOf(marks, "given") ?? "",
    notRun: markOf(marks, "not run"),
    typesOnly: markOf(marks, "types only"),
    printed: markdown.slice(index + whole.length).match(/^\s*```json\n([\s\S]*?)\n```\n/)?.[1],
  }))

const isOwn = (path: string) => !/(^|\/)(node_modules|dist|coverage|\.\w+)\//.test(path) && !path.startsWith("site/src/")

const files = globSync("**/*.md", { cwd: root, exclude: ["**/node_modules/**", "site/**"] })
  .filter(isOwn)
  .toSorted()

/** The blocks of every Markdown file, and those that the site adds. */
export const blocks: ReadonlyArray<Block> = [
  ...files.flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8"))),
  ...replacements.map(
    ({ heading, given, text }): Block => ({
      page: `site: moving-in, ${heading}`,
      line: 1,
      language: "tsx",
      text,
      given,
      notRun: undefined,
      typesOnly: "the calls have no program around them",
      printed: undefined,
    }),
  ),
  ...[...modulePages, ...errorPages, nextTutorial, ...frameworkPages].flatMap(({ slug, body }) => blocksOf(`site: ${slug}`, body)),
]

export const nameOf = ({ page, line, text }: Block): string => `${page}:${line} ${text.trim().split("\n")[0]!.slice(0, 60)}`
