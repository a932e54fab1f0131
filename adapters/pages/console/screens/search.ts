import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { named } from "../../components/names.ts"
import { type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { filters, searchFilter } from "../parts/filters.ts"
import { type ConsoleView, Operator, type Place, type Screen, type Template } from "../screen.ts"

type Found = Output<"adminSearch">
type Hit = NonNullable<Found["users"]>[number]

interface Props {
  readonly typed: string
  /** Null: the text is too short. */
  readonly found: Found | null
  /** The screens whose name has a word that begins with the text. */
  readonly places: ReadonlyArray<Place>
}

/** The kinds of hits, each with its page, and the list that goes on where there are more. */
const kinds = [
  { kind: "users", label: "console.users", page: "/user", list: "/users" },
  { kind: "organizations", label: "account.organizations", page: "/organization", list: "/organizations" },
  { kind: "clients", label: "console.clients", page: "/client", list: null },
] as const

/** Users, organizations and clients by the beginning of a text, and screens by their names. */
export const template: Template<Props> = (view, { typed, found, places }) => {
  const { t } = view.texts
  const hits = kinds.map(({ kind, label, page, list }) => {
    const own = found?.[kind] ?? []
    if (own.length === 0) return null
    const all = list === null ? null : html`<a href="${view.at(list, { q: typed })}">${t("console.search.all", { list: t(label) })}</a>`
    return listCard(
      t(label),
      own.map((hit) => hitLine(view, page, hit)),
      all,
    )
  })
  const screens = places.map(({ path, label }) => html`<li><a href="${view.at(path)}">${label}</a></li>`)
  const cards = [...hits, screens.length === 0 ? null : listCard(t("console.search.screens"), screens)].filter((each) => each !== null)
  return body(
    view,
    { title: t("console.search") },
    filters(view, "/search", searchFilter({ name: "q", label: t("console.search"), hint: t("console.search.hint"), value: typed })),
    html`<div id="results">${cards.length > 0 ? cards : card(t("console.search"), {}, html`<p class="muted">${nothing(view, typed, found)}</p>`)}</div>`,
  )
}

const nothing = ({ texts: { t } }: ConsoleView, typed: string, found: Found | null) =>
  t(typed !== "" && found !== null ? "console.search.none" : "console.search.short")

const listCard = (title: string, lines: Array<SafeHtml>, more: SafeHtml | null = null) =>
  card(title, { action: more }, html`<ul class="hits">${lines}</ul>`)

const hitLine = (view: ConsoleView, page: string, { id, name, detail }: Hit) =>
  html`<li><a href="${view.at(page, { id })}">${named(name ?? detail ?? id)}</a> <span class="muted">${name === null ? null : leftToRight(detail ?? id)}</span></li>`

/** Whether a word of a name begins with a text. */
const beginsIn = (label: string, typed: string) => ` ${label.toLowerCase()}`.includes(` ${typed.toLowerCase()}`)

export const search: Screen = {
  path: "/search",
  permission: null,
  needs: ["adminSearch"],
  section: "/search",
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view, places } = yield* Operator
    const typed = (query.get("q") ?? "").trim()
    // Of a text that is too short or too long.
    const found =
      typed.length < 2
        ? null
        : yield* call("adminSearch", { q: typed }).pipe(Effect.catchTag("invalid_request", () => Effect.succeed(null)))
    const named = found === null ? [] : places.filter(({ label }) => beginsIn(label, typed))
    return { title: view.texts.t("console.search"), main: template(view, { typed, found, places: named }) }
  }),
}
