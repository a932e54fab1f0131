import { Effect } from "effect"
import { type Output, Visit } from "../../page.ts"
import { body } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn, results, searchFilter } from "../parts/filters.ts"
import { table } from "../parts/table.ts"
import { code, word } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"

type Entry = Output<"adminSettings">["entries"][number]

interface Props {
  readonly entries: ReadonlyArray<Entry>
  readonly query: Readonly<Record<string, string>>
}

/** The settings that apply. None is changed here: they stand in the configuration. */
export const template: Template<Props> = (view, { entries, query }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.settings") },
    filters(
      view,
      "/settings",
      searchFilter({ name: "q", label: t("console.settings.path"), hint: t("console.settings.path.hint"), value: query["q"] ?? "" }),
      choiceFilter(
        view,
        { name: "changed", label: t("console.settings.source"), options: [["yes", t("console.settings.changed")]] },
        query["changed"] ?? "",
      ),
    ),
    results(
      table({
        caption: t("console.settings"),
        columns: [
          { label: t("console.settings.path"), cell: ({ path }) => word(path) },
          { label: t("console.settings.value"), cell: (entry) => value(view, entry) },
          { label: t("console.settings.source"), cell: ({ source }) => t(sources[source]) },
          { label: t("console.settings.default"), cell: (entry) => json(entry.default) },
        ],
        rows: entries,
        empty: t("console.settings.none"),
      }),
    ),
  )
}

const sources = {
  file: "console.settings.file",
  variable: "console.settings.variable",
  default: "console.settings.default",
} as const

const json = (text: string | null) => (text === null ? "–" : code(text))

const value = ({ texts: { t } }: ConsoleView, { secret, value }: Entry) =>
  secret && value !== null ? t("console.settings.set") : json(value)

/** The settings below a path, or only those that the configuration sets. */
export const chosenOf = (entries: ReadonlyArray<Entry>, { q = "", changed }: Readonly<Record<string, string>>) =>
  entries.filter(({ path, source }) => path.startsWith(q.trim()) && (changed === undefined || source !== "default"))

export const settings: Screen = {
  path: "/settings",
  permission: "settings:read",
  needs: ["adminSettings"],
  section: { label: "console.settings", group: "service", key: "s" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["q", "changed"])
    const { entries } = yield* call("adminSettings")
    return { title: view.texts.t("console.settings"), main: template(view, { entries: chosenOf(entries, chosen), query: chosen }) }
  }),
}
