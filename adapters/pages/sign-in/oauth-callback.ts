import { Effect } from "effect"
import { type Input, page, type Shown, Visit } from "../page.ts"
import { completeSignIn, signedInTarget, signedInUser } from "./complete.ts"

interface Redirected {
  /** Where the application wanted the browser back. */
  readonly redirect: string
}
const isRedirected = (body: unknown): body is Redirected => typeof body === "object" && body !== null && "redirect" in body

/** The return of a browser from a social provider, in place of the endpoint's JSON. */
export const oauthCallback = page({
  path: "/oauth/callback",
  needs: ["oauthCallback"],
  access: "public",
  isReturn: true,
  show: Effect.gen(function* () {
    const { call, flow, query } = yield* Visit
    const body = yield* call("oauthCallback", Object.fromEntries(query) as Input<"oauthCallback">)
    const hasTarget = flow().return_to !== undefined
    const shown = yield* completeSignIn(body)
    return yield* afterOtherSite(isRedirected(body) && !hasTarget ? { to: body.redirect } : shown)
  }).pipe(Effect.catch(({ _tag, location }) => (location === undefined ? refused(_tag) : Effect.succeed({ to: location })))),
})

/**
 * Browsers do not send cookies with `SameSite=Strict` with a redirect of a navigation that another site began. A page then repeats it.
 */
const afterOtherSite = (shown: Shown) =>
  Effect.map(Visit, ({ site }) => {
    const isLost = site.sameSite === "Strict" && "to" in shown && shown.to.startsWith("/")
    return isLost ? { to: `${site.core.public_url}${shown.to}` } : shown
  })

/** Back to where the visitor chose the provider: to the account if they are linking one, else to the sign-in page. */
const refused = Effect.fnUntraced(function* refused(code: string) {
  const { setFlow, view } = yield* Visit
  const own = ["account_linked", "banned", "rate_limited", "email_not_verified"].includes(code)
  const isLinking = (yield* signedInUser) !== null
  const to = isLinking ? yield* signedInTarget : view.href("/sign-in")
  setFlow({ method: undefined, problem: own ? `error.${code}` : "error.provider" })
  return { to }
})
