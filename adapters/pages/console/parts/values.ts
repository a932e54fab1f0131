import { html, type SafeHtml } from "@remix-run/html-template"
import { inParts, leftToRight } from "../../components/direction.ts"
import { named } from "../../components/names.ts"
import { time as timeOf } from "../../components/time.ts"
import type { View } from "../../view.ts"
import type { ConsoleView } from "../screen.ts"

/** In place of a value that is missing. */
export const nothing = "–"

/** A text for machines, which may break anywhere. */
export const code = (text: string) => html`<code dir="ltr">${text}</code>`

/** A word of the service, such as a permission or a type of event. It breaks between its parts only. */
export const word = (text: string) => html`<code dir="ltr" class="word">${inParts(text)}</code>`

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An id. It is whole, so that it can be copied; the parts of a UUID do not break. */
export const id = (text: string) => (uuid.test(text) ? word(text) : code(text))

export const words = (texts: ReadonlyArray<string>) => html`<span class="words">${texts.map((text) => html`${word(text)} `)}</span>`

/** A text with a second one below it. */
export const twoLines = (first: SafeHtml | string, second: SafeHtml | null, look = "line") =>
  second === null ? first : html`${first}<span class="${look}">${second}</span>`

/** A text in words of another user; a dash without one. */
export const namedOr = (text: string | null) => (text === null ? nothing : named(text))

/** The IP address of a client. */
export const ipAddress = (address: string | null) => (address === null ? nothing : leftToRight(address))

/** A number of rows that are counted up to a limit only. */
export const counted = ({ texts }: View, count: number, isCapped: boolean) =>
  texts.t(isCapped ? "console.number.more" : "console.number", { count })

interface Total {
  readonly count: number
  readonly capped: boolean
  readonly as_of?: string
}

/** How many there are in all, with the time of the count if they were not counted now. */
export const totalOf = (view: ConsoleView, total: Total | undefined) => {
  if (total === undefined) return html`<p hidden data-follows="total"></p>`
  const { count, capped, as_of } = total
  const { t } = view.texts
  const since = as_of === undefined ? null : html` · ${t("console.total.as_of")} ${time(view, as_of)}`
  return html`<p class="muted" data-follows="total">${t("console.total", { number: counted(view, count, capped) })}${since}</p>`
}

/** The roles in a list to choose from. */
export const roleOptions = ({ texts }: View, roles: ReadonlyArray<string>) =>
  roles.map((role) => [role, texts.find(`role.${role}`) ?? role] as const)

/** A link to the page of a user, for visitors who may see it. */
export const userLink = (view: ConsoleView, user_id: string, shown: SafeHtml | string = id(user_id)) =>
  view.may("users:read") ? html`<a href="${view.at("/user", { id: user_id })}">${shown}</a>` : html`${shown}`

/** A time with its zone; `none` where there is no time. The script shows it in the zone of the reader. */
export const time = (view: View, at: string | null, none: string = nothing) => (at === null ? none : timeOf(view, at))

/** The shape of each state. Readers of the screen get the word only. */
const shapes = { good: "●", stopped: "■", open: "◇", waiting: "◔", failed: "✕" } as const
export type State = keyof typeof shapes

/** A state as a word, a shape and a colour. */
export const badge = (state: State, label: string) =>
  html`<span class="badge ${state}"><span aria-hidden="true">${shapes[state]}</span> ${label}</span>`

/** Names with their values; those without a value are left out. */
export const details = (entries: ReadonlyArray<readonly [label: string, value: SafeHtml | string | null]>) =>
  html`<dl class="details">${entries.map(([label, value]) => (value === null ? null : html`<div><dt>${label}</dt><dd>${value}</dd></div>`))}</dl>`
