import { dirname, join, relative } from "node:path/posix"
import { inWords, type Setting, settingsWith } from "../../adapters/config/reference.ts"
import { optional } from "../../application/modules/index.ts"
import { madePage } from "./page.ts"

const settings = settingsWith(optional)

/** A module's key, which only enables the module. */
const isModuleItself = ({ path, default: given }: Setting) => /^modules\.\w+$/.test(path) && given.is === "none"

/** The settings without a description of their own or of the section that they are in. */
export const undescribed: ReadonlyArray<string> = settings
  .filter((setting) => setting.description === undefined && !isModuleItself(setting))
  .map(({ path }) => path)

const groupOf = ({ path }: Setting): string => {
  const [first = "", second = ""] = path.split(".")
  return first === "modules" && second !== "" ? `modules.${second}` : first
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

/** URLs in types are examples, not links. */
const withoutLinks = (text: string) => text.replace(/https?:\/\/[^\s,]*/g, (url) => `\`${url}\``)

/** Links from the root of the repository as links from a file. */
const from = (source: string, text: string): string =>
  text.replace(/\]\((?!https?:)([^)]*)\)/g, (_, link: string) => `](${relative(dirname(source), join(".", link))})`)

const factsOf = (setting: Setting): string => {
  const given = setting.default.is === "value" ? `\`${inWords(setting)}\`` : inWords(setting)
  const [variable] = setting.variables
  return `${sentence(withoutLinks(setting.type))} Default: ${given}.${variable === undefined ? "" : ` Environment: \`${variable}\`.`}`
}

const textOf = (setting: Setting): string => {
  const kind = setting.kind === undefined ? "" : ` (\`${setting.kind}\`)`
  const parts = [`- **\`${setting.path}\`**${kind}`, factsOf(setting), ...(setting.description === undefined ? [] : [setting.description])]
  return parts.join("\n\n  ")
}

const listOf = (source: string, members: ReadonlyArray<Setting>): string =>
  from(
    source,
    members
      .filter((setting) => !isModuleItself(setting))
      .map(textOf)
      .join("\n"),
  ) || "No settings: `{}` enables the module."

/** The settings of a module, for its page. */
export const moduleSettings = (module: string, source: string): string =>
  listOf(
    source,
    settings.filter((setting) => groupOf(setting) === `modules.${module}`),
  )

const source = "docs/configuration.md"

const groupText = (group: string, members: ReadonlyArray<Setting>): string =>
  group.startsWith("modules.")
    ? `## \`${group}\`\n\nThe page of the module [\`${group.slice(8)}\`](/modules/${group.slice(8)}/) lists its settings. Without this key the module is off.`
    : `## \`${group}\`\n\n${listOf(source, members)}`

/** Every setting: type, default and meaning from the schema that checks configurations. */
export const settingsPage = madePage("reference/settings", "Settings", source, [
  "Every key of the configuration, from the schema that checks configurations; `npm start -- settings` prints the same. [Configuration](configuration.md) describes the file, the environment variables and larger settings.",
  ...[...Map.groupBy(settings, groupOf)].map(([group, members]) => groupText(group, members)),
])
