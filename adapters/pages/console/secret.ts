import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { copyButton } from "../components/copy.ts"
import { Visit } from "../page.ts"
import { card } from "./parts/body.ts"
import { code } from "./parts/values.ts"
import { type ConsoleView, goTo, Operator } from "./screen.ts"

/** Redirects to the page at `path`, which shows the new secret. */
export const showSecret = Effect.fnUntraced(function* showSecret(value: string, ...[path, notice, query]: Parameters<typeof goTo>) {
  const { setFlow } = yield* Visit
  const { id } = yield* Operator
  setFlow({ console_secret: { user_id: id, path, value } })
  return yield* goTo(path, notice, query)
})

/** The secret that this page shows once; null without one. A secret of another page or administrator is forgotten. */
export const newSecret = Effect.fnUntraced(function* newSecret(path: string) {
  const { flow, setFlow } = yield* Visit
  const { id } = yield* Operator
  const { console_secret } = flow()
  if (console_secret === undefined) return null
  setFlow({ console_secret: undefined })
  return console_secret.user_id === id && console_secret.path === path ? console_secret.value : null
})

/** A secret that is not shown again. */
export const secretCard = (view: ConsoleView, value: string | null) => {
  if (value === null) return null
  const { t } = view.texts
  return card(
    t("console.secret"),
    {},
    html`<p>${t("console.secret.once")}</p><p><span id="secret">${code(value)}</span></p><p>${copyButton(view, "secret")}</p>`,
  )
}
