import { hasOwnRow, inWords, isDescribed, rowFor, unknownKeys } from "./described-settings.ts"
import type { Page } from "./page.ts"
import { type Setting, settings } from "./schema.ts"

/** The faults of the tables in the documentation: settings that are missing or whose default differs, and keys that do not exist. */
export const settingFaults = (): ReadonlyArray<string> => [
  ...settings.filter((setting) => !isDescribed(setting)).map(({ path, default: given }) => `${path} (${inWords(given)}) is not described`),
  ...unknownKeys(settings).map((key) => `${key} is not a setting`),
]

const groupOf = ({ path }: Setting): string => {
  const [first = "", second = ""] = path.split(".")
  return first === "modules" ? `modules.${second}` : first
}

/** The default of the schema, or else what the table says: some defaults depend on other settings. */
const defaultText = (setting: Setting): string => {
  const row = rowFor(setting)
  const words = inWords(setting.default)
  if (setting.default.is === "value") return `\`${words}\``
  if (setting.default.is === "none" && row !== undefined && hasOwnRow(setting, row) && row.keys.length === 1) return row.default || words
  return words
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? "" : "."}`

/** URLs in types are examples, not links. */
const withoutLinks = (text: string) => text.replace(/https?:\/\/[^\s,]*/g, (url) => `\`${url}\``)

/** The facts of a setting, and its meaning unless the row was shown for a setting before it. */
const linesOf = (setting: Setting, said: Set<string>): ReadonlyArray<string> => {
  const facts = `${sentence(withoutLinks(setting.type))} Default: ${defaultText(setting)}.`
  const meaning = rowFor(setting)?.meaning ?? ""
  if (meaning === "" || said.has(meaning)) return [facts]
  said.add(meaning)
  return [facts, sentence(meaning)]
}

const textOf = (setting: Setting, said: Set<string>): string => {
  const kind = setting.kind === undefined ? "" : ` (\`${setting.kind}\`)`
  return `- **\`${setting.path}\`**${kind}\n\n  ${linesOf(setting, said).join("\n\n  ")}`
}

const isModuleItself = ({ path, default: given }: Setting) => /^modules\.\w+$/.test(path) && given.is === "none"

const groupText = (group: string, members: ReadonlyArray<Setting>): string => {
  const said = new Set<string>()
  const [only] = members
  if (only?.path === group && members.length === 1 && !isModuleItself(only)) return [`## \`${group}\``, ...linesOf(only, said)].join("\n\n")
  const listed = members.filter((setting) => !isModuleItself(setting))
  const module = group.startsWith("modules.")
    ? `The settings of the module [\`${group.slice(8)}\`](/modules/${group.slice(8)}/); without the key \`${group}\` the module is off.`
    : ""
  const list = listed.map((setting) => textOf(setting, said)).join("\n")
  return [`## \`${group}\``, module, list || "No settings: `{}` enables the module."].filter((part) => part !== "").join("\n\n")
}

/** Every setting: type and default from the schema, the meaning from the tables. */
export const settingsPage: Page = {
  slug: "reference/settings",
  title: "Settings",
  source: "docs/configuration.md",
  headings: [],
  body: [
    "Every key of the configuration, with its type and default from the schema that checks configurations. [Configuration](configuration.md) describes the file, the environment variables and larger settings.",
    ...[...Map.groupBy(settings, groupOf)].map(([group, members]) => groupText(group, members)),
  ].join("\n\n"),
}
