import { Clock, Effect } from "effect"
import type { AuthError } from "../../../domain/errors.ts"
import type { Flow } from "../flow.ts"
import { type Shown, Visit } from "../page.ts"
import { ofPage } from "./methods.ts"

/** The members of all challenges. */
interface Challenge {
  readonly challenge_token: string
  readonly methods?: ReadonlyArray<string>
  readonly code_recipients?: NonNullable<Flow["challenge"]>["recipients"]
  readonly remember_browser_days?: number
  readonly two_factor_required?: true
  readonly two_factor_enrolment_required?: true
  readonly required_actions?: ReadonlyArray<string>
}
const isChallenge = (body: unknown): body is Challenge => typeof body === "object" && body !== null && "challenge_token" in body

/**
 * Continues after a sign-in endpoint has answered: with the page of the challenge, or with the visitor's target. `account` is the name that
 * was entered. `method` is the way to sign in; by default that of the page, or the one that began the sign-in.
 */
export const completeSignIn = Effect.fnUntraced(function* completeSignIn(
  body: unknown,
  account?: string,
  method?: string,
): Effect.fn.Return<Shown, never, Visit> {
  const { view, setFlow, site } = yield* Visit
  const way = method ?? (yield* ownPage)
  if (way !== undefined) setFlow({ method: way })
  if (!isChallenge(body)) return { to: yield* signedIn }
  const kind = kindOf(body)
  const { challenge_token: token, methods = [], code_recipients: recipients, remember_browser_days: remember_days } = body
  const named = account === undefined ? {} : { account }
  const sent = recipients === undefined ? {} : { recipients }
  setFlow({ challenge: { kind, token, methods, ...named, ...sent, ...(remember_days === undefined ? {} : { remember_days }) } })
  const own = site.pages.find(({ challenge }) => challenge !== undefined && challenge in body)
  if (own !== undefined) return { to: view.href(own.path) }
  return { to: view.href(places[kind]) }
})

/** The current page as a way to sign in, if it is one of the operator's. */
const ownPage = Effect.map(Visit, ({ site, view }) => {
  const [here] = view.here.split("?")
  const own = site.pages.find(({ path, signIn }) => signIn !== undefined && view.href(path) === here)
  return own === undefined ? undefined : ofPage(own.path)
})

/** Seconds after which a browser is offered a passkey again. */
const offerAgain = 30 * 86_400

/** Remembers how this browser signed in, and ends the flow of the sign-in, or offers a passkey first. */
export const signedIn = Effect.gen(function* () {
  const { flow, has, lastUsed, setFlow, setLastUsed, site, view } = yield* Visit
  const { method, return_to } = flow()
  const target = yield* signedInTarget
  if (method === undefined) return target
  const { offered_at } = (yield* lastUsed) ?? {}
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const isDue = offered_at === undefined || now - offered_at >= offerAgain
  const offers = site.settings.offer_passkeys && has("passkeyRegisterVerify") && method !== "passkey" && isDue
  const offered = offers ? now : offered_at
  setLastUsed({ method, ...(offered === undefined ? {} : { offered_at: offered }) })
  if (!offers) return target
  setFlow({ passkey_offer: true, return_to })
  return view.href("/sign-in/passkey")
})

const kindOf = ({ two_factor_required, two_factor_enrolment_required, required_actions }: Challenge) => {
  if (two_factor_required) return "two_factor"
  if (two_factor_enrolment_required) return "enrolment"
  return required_actions?.[0] === "change_password" ? "new_password" : "unknown"
}

/** The pages of the challenges. That of the second factor also says that a challenge is unknown. */
export const places = {
  two_factor: "/sign-in/two-factor",
  enrolment: "/sign-in/enrol",
  new_password: "/sign-in/new-password",
  unknown: "/sign-in/two-factor",
} as const

/** Ends the flow of a sign-in: redirects to the visitor's target, else to the account. */
export const signedInTarget = Effect.map(Visit, ({ flow, setFlow, site, view }) => {
  const { return_to = null } = flow()
  setFlow({
    challenge: undefined,
    enrolment: undefined,
    recovery_codes: undefined,
    return_to: undefined,
    passkey_offer: undefined,
    identifier: undefined,
    method: undefined,
    sent: undefined,
  })
  return site.returnTarget(return_to) ?? view.href("/account")
})

/** Keeps the target of `return_to`, if visitors may be sent there. */
export const keepReturnTarget = Effect.map(Visit, ({ query, setFlow, site }) => {
  const target = site.returnTarget(query.get("return_to"))
  if (target !== null) setFlow({ return_to: target })
})

/** The user who is signed in, on pages for visitors with and without a session; null without one. */
export const signedInUser = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call("getSession")).user
})

/** Leads visitors to the sign-in page who open a page in the middle of a sign-in, or too late. */
export const startAgain = Effect.gen(function* () {
  const { flow, setFlow, view } = yield* Visit
  const isDone = flow().challenge === undefined && (yield* signedInUser) !== null
  if (isDone) return { to: view.href("/account") }
  setFlow({ challenge: undefined, enrolment: undefined, problem: "error.start_again" })
  return { to: view.href("/sign-in") }
})

/** Leads back to the sign-in page if the challenge of the sign-in has ended. */
export const orStartAgain = <R>(step: Effect.Effect<Shown, AuthError, R>): Effect.Effect<Shown, AuthError, R | Visit> =>
  Effect.catchTag(step, "invalid_token", () => startAgain)
