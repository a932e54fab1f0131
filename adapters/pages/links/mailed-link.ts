import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { AuthError } from "../../../domain/errors.ts"
import { emailField } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import type { Flow } from "../flow.ts"
import { type Shown, Visit } from "../page.ts"
import type { Template } from "../view.ts"

type Purpose = NonNullable<Flow["token"]>["purpose"]

/** Tokens of this service are not longer, and a longer one would not fit into the cookie of the flow. */
export const maxLength = 200

/** Moves a parameter of a mailed link from the address into the flow, and redirects to the page without it. Null without the parameter. */
export const takeFromAddress = Effect.fnUntraced(function* takeFromAddress(
  path: string,
  parameter: string,
  keep: (value: string, others: URLSearchParams) => Parameters<Visit["Service"]["setFlow"]>[0],
) {
  const { query, setFlow, view } = yield* Visit
  const value = query.get(parameter)
  if (value === null) return null
  setFlow(keep(value.slice(0, maxLength), query))
  return { to: view.href(path) }
})

/** The calls that show to which address a link was mailed. */
type Peek = "magicLinkShow" | "reportSignInShow" | "resetPasswordShow" | "verifyEmailShow"

/** Shows the page of a mailed link: with the address of a valid token, which waits for the button, or without one. */
export const showLink = <E, R>(purpose: Purpose, path: string, peek: Peek, show: (email: string | null) => Effect.Effect<Shown, E, R>) =>
  Effect.gen(function* () {
    const taken = yield* takeFromAddress(path, "token", (value) => ({ token: { purpose, value } }))
    if (taken !== null) return taken
    const { flow, call } = yield* Visit
    const { token } = flow()
    if (token?.purpose !== purpose) return yield* show(null)
    const { email } = yield* call(peek, { token: token.value }).pipe(
      Effect.catchTag("invalid_token", () => Effect.succeed({ email: null })),
    )
    return yield* show(email)
  })

/** Redeems the token of a mailed link. Without one, or if it is no longer valid, the page is shown without a token. */
export const redeem = <A>(
  purpose: Purpose,
  path: string,
  redeemed: (token: string) => Effect.Effect<Shown, AuthError, A>,
): Effect.Effect<Shown, AuthError, A | Visit> =>
  Effect.gen(function* () {
    const { flow, setFlow, view } = yield* Visit
    const { token } = flow()
    const dead = Effect.sync(() => {
      setFlow({ token: undefined })
      return { to: view.href(path) }
    })
    if (token?.purpose !== purpose) return yield* dead
    return yield* redeemed(token.value).pipe(
      Effect.tap(() => Effect.sync(() => setFlow({ token: undefined }))),
      Effect.catchTag("invalid_token", () => dead),
    )
  })

interface Dead {
  readonly text: string
  readonly email: string
  readonly submit: string
}

/** The page of a link that has expired or was used, with a form for a new one. */
export const deadLinkTemplate: Template<Dead> = (view, { text, email, submit }): SafeHtml => {
  const { t } = view.texts
  const body = emailField(view, { name: "email", label: t("field.email"), value: email })
  return card(view, t("dead_link.title"), html`<p>${text}</p>${form(view, { action: "send", submit, body })}`)
}
