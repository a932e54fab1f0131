import type { ExtraDefinition } from "../../application/modules/index.ts"
import type { ShownSetting } from "../../domain/ports/service-state.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { isDefinition } from "./fields.ts"
import type { Configuration } from "./load.ts"
import { type Setting, settingsWith } from "./reference.ts"

/** Texts that name neither a person nor a secret. */
const texts = new Set(["base_path", "graphql.path", "listen.host", "telemetry.metrics.host"])
const urls = new Set(["modules.idp.mtls_url", "public_url"])

/** A URL without the parts that can be credentials. */
const bareUrl = (text: string) => {
  const { origin, pathname } = new URL(text)
  return pathname === "/" ? origin : `${origin}${pathname}`
}

const memberOf = (raw: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), raw)

const writtenValue = ({ path, content }: Setting, value: unknown): string | null => {
  if (value === undefined) return null
  if (content === "closed" || texts.has(path)) return JSON.stringify(value)
  return urls.has(path) && typeof value === "string" ? JSON.stringify(bareUrl(value)) : null
}

type Given = Pick<Configuration, "raw" | "sources">

const sourceOf = ({ sources }: Given, path: string, value: unknown): ShownSetting["source"] => {
  if (sources.has(path)) return "variable"
  return value === undefined ? "default" : "file"
}

const entryOf = (given: Given, setting: Setting): ShownSetting => {
  const { path, content, default: preset } = setting
  const value = memberOf(given.raw, path)
  const source = sourceOf(given, path, value)
  if (content === "secret") return { path, value: value === undefined ? null : "set", secret: true, source, default: null }
  const standard = preset.is === "value" ? writtenValue(setting, preset.value) : null
  return { path, value: value === undefined ? standard : writtenValue(setting, value), secret: false, source, default: standard }
}

/** The kind that a section selects, and the settings that belong to another kind. */
const kindsOf = (given: Given, all: ReadonlyArray<Setting>) => {
  const sections = new Map(all.filter(({ kind }) => kind !== undefined).map(({ path }) => [path.split(".").slice(0, -1).join("."), null]))
  return new Map(
    [...sections.keys()].map((section) => {
      const preset = all.find(({ path }) => path === section)?.default
      const standard = preset?.is === "value" && isJsonObject(preset.value) ? preset.value["kind"] : undefined
      const chosen = memberOf(given.raw, `${section}.kind`)
      // A port of your own has no kind.
      const written = memberOf(given.raw, section)
      return [
        section,
        { chosen: written === undefined ? standard : chosen, standard, source: sourceOf(given, `${section}.kind`, written) },
      ] as const
    }),
  )
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/**
 * The settings of a running service for administrators. Only members whose values reveal nothing by their schema are shown, and the texts
 * that are listed here: a new setting shows nothing until it is one of these.
 */
export const entriesOf = (given: Given, optional: ReadonlyArray<ExtraDefinition>): ReadonlyArray<ShownSetting> => {
  const extensions = Array.isArray(given.raw["extensions"]) ? given.raw["extensions"].filter(isDefinition) : []
  const all = settingsWith([...optional, ...extensions]).filter(({ path }) => !path.includes("[]"))
  const kinds = kindsOf(given, all)
  const isOn = (path: string) => !path.startsWith("modules.") || memberOf(given.raw, path.split(".").slice(0, 2).join(".")) !== undefined
  const sections = [...kinds].map(([section, { chosen, standard, source }]): ShownSetting => {
    return { path: `${section}.kind`, value: json(chosen), secret: false, source, default: json(standard) }
  })
  const others = all.filter(({ path, kind }) => {
    const section = path.split(".").slice(0, -1).join(".")
    return isOn(path) && !kinds.has(path) && (kind === undefined || kinds.get(section)?.chosen === kind)
  })
  const entries = [...sections.filter(({ path }) => isOn(path)), ...others.map((setting) => entryOf(given, setting))]
  return entries.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
