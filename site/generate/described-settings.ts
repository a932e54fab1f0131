import { dirname, join, relative } from "node:path/posix"
import { sectionsOf, slugOf, textOf, under } from "./markdown.ts"
import { foldersIn, read } from "./repository.ts"
import type { Default, Setting } from "./schema.ts"

// Reads the descriptions of settings: the table of docs/configuration.md, and those of the modules' pages.

export const configurationFile = "docs/configuration.md"

/** A row that describes settings. */
export interface Row {
  readonly file: string
  readonly keys: ReadonlyArray<string>
  readonly default: string
  readonly meaning: string
}

/** The cells of the rows of a table whose header has these columns. */
const rowsOf = (text: string, first: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.split("\n")
  const head = lines.findIndex((line) => new RegExp(`^\\| ${first} +\\| Default`).test(line))
  if (head < 0) return []
  const end = lines.findIndex((line, index) => index > head && !line.startsWith("|"))
  return lines.slice(head + 2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The keys of a cell; `.max_depth` after `graphql.enabled` is short for `graphql.max_depth`. */
const keysOf = (cell: string): ReadonlyArray<string> => {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  const section = names[0]?.replace(/\.[^.]*$/, "")
  return names.map((name) => (name.startsWith(".") ? `${section}${name}` : name))
}

const rowOf =
  (file: string, prefix: string) =>
  (cells: ReadonlyArray<string>): Row => ({
    file,
    keys: keysOf(cells[0] ?? "").map((key) => `${prefix}${key}`),
    default: cells[1] ?? "",
    meaning: fromDocs(file, cells[2] ?? ""),
  })

/** Links of a file as links of docs/configuration.md, whose page shows the text. */
const fromDocs = (file: string, text: string): string =>
  text.replace(/\]\((\.[^)]*)\)/g, (_, link: string) => `](${relative(dirname(configurationFile), join(dirname(file), link))})`)

const configurationRows = rowsOf(read(configurationFile), "Key").map(rowOf(configurationFile, ""))

const moduleRows = foldersIn("application/modules").flatMap((module) => {
  const file = `application/modules/${module}/README.md`
  return rowsOf(read(file), "Setting").map(rowOf(file, `modules.${module}.`))
})

/** A module's own page is more specific than the summary in docs/configuration.md. */
const rows = [...moduleRows, ...configurationRows]

/** The keys in the tables that are not settings. */
export const unknownKeys = (settings: ReadonlyArray<Setting>): ReadonlyArray<string> => {
  const known = settings.flatMap(({ path }) => prefixesOf(path))
  return rows.flatMap(({ keys }) => keys).filter((key) => !known.includes(key))
}

const prefixesOf = (path: string): ReadonlyArray<string> => {
  const steps = path.replaceAll("[]", "").split(".")
  return steps.map((_, index) => steps.slice(0, index + 1).join("."))
}

/** The row of a setting, or of the section that it is in. */
export const rowFor = ({ path }: Setting): Row | undefined =>
  prefixesOf(path)
    .toReversed()
    .map((prefix) => rows.find(({ keys }) => keys.includes(prefix)))
    .find((row) => row !== undefined)

export const hasOwnRow = (setting: Setting, { keys }: Row): boolean => keys.includes(setting.path.replaceAll("[]", ""))

/** A default as the tables write it. */
export const inWords = (value: Default): string => {
  if (value.is === "required") return "required"
  if (value.is === "none") return "none"
  return typeof value.value === "string" ? value.value : JSON.stringify(value.value)
}

/** The rows about a setting, with the sections that they link to. */
const textsFor = (setting: Setting): ReadonlyArray<string> => {
  const prefixes = prefixesOf(setting.path)
  const about = rows.filter(({ keys }) => keys.some((key) => prefixes.includes(key)))
  const sections = about.flatMap(({ meaning }) => [...meaning.matchAll(/\]\([^)#]*#([\w-]+)\)/g)].map(([, anchor]) => sectionAt(anchor!)))
  return [...about.map((row) => `${row.default} ${row.meaning}`), ...sections]
}

const sectionAt = (anchor: string): string => {
  const sections = sectionsOf(read(configurationFile))
  const section = sections.find(({ heading }) => slugOf(heading) === anchor)
  return section === undefined ? "" : textOf(under(sections, section.heading))
}

/** Whether the tables name the setting, with its default. A setting whose default depends on others only has to be named. */
export const isDescribed = (setting: Setting): boolean => {
  const row = rowFor(setting)
  if (row === undefined) return false
  if (hasOwnRow(setting, row)) return saysDefault(setting, [row.default, row.meaning])
  const name = setting.path.split(".").at(-1)!
  const texts = textsFor(setting).filter((text) => new RegExp(`[\`"]${name}[\`"]`).test(text))
  return texts.length > 0 && saysDefault(setting, texts)
}

const squeezed = (text: string) => text.replace(/[\s`"]/g, "")

/** Null and an empty object mean that nothing is set. */
const saysDefault = ({ default: given }: Setting, texts: ReadonlyArray<string>): boolean => {
  const value = squeezed(inWords(given))
  if (given.is !== "value" || value === "null" || value === "{}") return true
  const whole = new RegExp(`(?<!\\d)${value.replace(/\W/g, "\\$&")}(?!\\d)`)
  return texts.some((text) => whole.test(squeezed(text)))
}
