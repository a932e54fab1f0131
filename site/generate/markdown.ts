/** A part of a Markdown file that begins with a heading. */
export interface Section {
  /** Empty for the part before the first heading. */
  readonly heading: string
  readonly level: number
  readonly body: string
}

const fence = /^ *```/

/** The sections of a file, in order. Lines in code blocks are not headings. */
export const sectionsOf = (text: string): ReadonlyArray<Section> => {
  const sections: Array<{ heading: string; level: number; lines: Array<string> }> = [{ heading: "", level: 0, lines: [] }]
  let inCode = false
  for (const line of text.split("\n")) {
    if (fence.test(line)) inCode = !inCode
    const [, marks = "", heading = ""] = (inCode ? null : line.match(/^(#{1,6}) (.+)$/)) ?? []
    if (marks === "") sections.at(-1)!.lines.push(line)
    else sections.push({ heading, level: marks.length, lines: [] })
  }
  return sections.map(({ heading, level, lines }) => ({ heading, level, body: `${lines.join("\n").trim()}\n` }))
}

/** The text of sections, with the headings `shift` levels higher. */
export const textOf = (sections: ReadonlyArray<Section>, shift = 0): string =>
  sections
    .map(({ heading, level, body }) => (level === 0 ? body : `${"#".repeat(Math.max(2, level - shift))} ${heading}\n\n${body}`))
    .join("\n")

/** A section with the sections below it. */
export const under = (sections: ReadonlyArray<Section>, heading: string): ReadonlyArray<Section> => {
  const start = sections.findIndex((section) => section.heading === heading)
  if (start < 0) throw new Error(`there is no section "${heading}"`)
  const { level } = sections[start]!
  const end = sections.findIndex((section, index) => index > start && section.level <= level)
  return sections.slice(start, end < 0 ? undefined : end)
}

/** The id that a page gives a heading. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-")

/** The text of a heading or sentence without marks. */
export const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "")

/** The parts of a text; every second one is a code block. */
const parts = (text: string): ReadonlyArray<string> => text.split(/(^ *```[\s\S]*?^ *```[^\S\n]*$)/m)

/** Applies a change to the text outside of code blocks. */
export const outsideCode = (text: string, change: (text: string) => string): string =>
  parts(text)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("")

export const withoutCode = (text: string): string =>
  parts(text)
    .filter((_, index) => index % 2 === 0)
    .join("")

/** A table; bars in cells are escaped. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const row = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|").replaceAll("\n", " ")).join(" | ")} |`
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")
}

export const code = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
