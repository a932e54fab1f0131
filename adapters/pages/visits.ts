import { randomBytes } from "node:crypto"
import { Context, Effect, Option, Schema, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { core } from "../../application/modules/index.ts"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { takesReason } from "../../application/service/reasons.ts"
import type { GetSessionPayload } from "../../client/operations.ts"
import { type AuthError, NotFound } from "../../domain/errors.ts"
import { Blocklist } from "../../domain/ports/blocklist.ts"
import { Store, type StoreService } from "../../domain/ports/store.ts"
import { TextHashes } from "../../domain/ports/text-hashes.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { FlowTarget } from "../../domain/sign-in/flow-target.ts"
import type { Keys } from "../../domain/tokens/keys.ts"
import { callerAfter, joined, makeExchange, type Outcome, outcomeOf, refusalOutcome, unchanged } from "../http/exchange.ts"
import { type Fields, formBody, isForm } from "../http/form-body.ts"
import { HttpSettings } from "../http/settings.ts"
import { followed } from "./calls/followed.ts"
import { missingIn, withAllFaults } from "./calls/input-faults.ts"
import { readsOnce } from "./calls/reads-once.ts"
import { keysCookie } from "./console/keys.ts"
import { type Flow, flowCookie } from "./flow.ts"
import { field, type Page, type Visit } from "./page.ts"
import { type LastUsed, lastUsedCookie } from "./sign-in/last-used.ts"
import { hrefOf, type Site, textsFor } from "./site.ts"
import type { Problem, View } from "./view.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A request to a page, with what it has changed so far. */
export interface OpenVisit {
  /** The visit; with a problem, the page shows it and the values that were entered. */
  readonly visit: (problem: Problem | null) => Visit["Service"]
  /** Whether the browser sent a form a second time without a cookie: then it accepts no cookies. */
  readonly lacksCookies: boolean
  /** Whether the form repeats the token of this browser; compared in constant time. */
  readonly hasToken: boolean
  /** Identifies the form and what was entered; null if the form is not of this browser. */
  readonly submission: string | null
  /** Whether the flow has a new secret of the console, which a page may show. */
  readonly holdsSecret: boolean
  /** The session and cookies of the response. */
  readonly outcome: Effect.Effect<Outcome, never, Keys>
}

/** The operations that every service has. */
const always: ReadonlySet<string> = new Set(core.flatMap(({ endpoints }) => Object.keys(endpoints)))

/** Marks the token of a form that is shown again because the browser sent no cookie. */
const again = "again"

/** Opens visits. */
export const makeVisits = <R>(auth: Auth<R>, site: Site) =>
  Effect.gen(function* () {
    const cookie = yield* flowCookie
    const keys = yield* keysCookie
    const lastUsed = yield* lastUsedCookie
    const { callerOf } = yield* makeExchange(auth)
    const readForm = formBody((yield* HttpSettings).max_body_bytes)
    const passwords = { ...site.core.email_password, blocklist: yield* Blocklist }
    const { hmacSha256, verifyHmacSha256 } = yield* TextHashes
    /** The token of the forms of one page as it is shown this time: a random text, and its MAC under the secret of the browser. */
    const formToken = (browser: string, isAgain: boolean) => {
      const shown = randomText()
      return [shown, hmacSha256(Buffer.from(browser), shown), ...(isAgain ? [again] : [])].join(".")
    }
    const encoders = new Map<AnyEndpoint, (body: unknown) => unknown>()
    const encoded = (endpoint: AnyEndpoint, body: unknown) => {
      const encode = encoders.get(endpoint) ?? Schema.encodeSync(Schema.toCodecJson(endpoint.output))
      encoders.set(endpoint, encode)
      return encode(body)
    }

    return Effect.fnUntraced(function* openVisit(
      page: Pick<Page, "access" | "wide" | "needs" | "uses" | "isReturn" | "isConsole">,
      request: Request,
      address: string | null,
    ) {
      const form: Fields = request.method === "POST" && isForm(request) ? yield* readForm(request) : {}
      const services = yield* Effect.context<Exclude<R, Caller> | Keys | Scope.Scope>()
      let caller = callerOf(request, address)
      const stored = yield* Effect.provideService(cookie.read, Caller, caller)
      const began: Flow = Option.getOrElse(stored, () => ({ browser: randomText() }))
      let flow = began
      const storedKeys = page.isConsole === true ? yield* Effect.provideService(keys.read, Caller, caller) : Option.none()
      let changedKeys: { readonly on: boolean } | null = null
      let used: LastUsed | null = null
      let outcome = unchanged

      const asked = new Set<string>()
      const store = Context.get(services as Context.Context<Store>, Store)
      let reading: StoreService | undefined
      let why: string | undefined

      const targetOf = ({ return_to }: Flow) =>
        site.returnTarget(url.searchParams.get("return_to")) ?? return_to ?? (page.isReturn ? undefined : null)
      const call = (name: string, input: object = {}): Effect.Effect<unknown, AuthError> => {
        const endpoint = auth.endpoints[name]
        if (!always.has(name) && !asked.has(name) && ![...page.needs, ...(page.uses ?? [])].some((declared) => declared === name))
          return Effect.die(new Error(`the page calls ${name} without declaring it`))
        if (endpoint === undefined) return Effect.fail(new NotFound())
        const missing = missingIn(endpoint, input, passwords)
        if (missing !== undefined) return Effect.fail(missing)
        const isRead = endpoint.method === "GET"
        const sent = why !== undefined && takesReason(endpoint) ? { reason: why, ...input } : input
        const end = (ended: Outcome) => {
          if (!isRead) reading = undefined
          outcome = joined(outcome, ended)
          if (isSignIn(ended, caller)) flow = { ...flow, browser: randomText(), former: flow.browser }
          caller = callerAfter(caller, ended)
        }
        return Effect.suspend(() => {
          if (isRead) reading ??= readsOnce(store)
          const calledStore = isRead && reading !== undefined ? reading : store
          return auth.call(endpoint, sent).pipe(Effect.provideService(Caller, caller), Effect.provideService(Store, calledStore))
        }).pipe(
          Effect.provideService(FlowTarget, targetOf(flow)),
          Effect.tap((reply) =>
            Effect.sync(() => {
              end(outcomeOf(endpoint, reply, caller))
              const target = site.returnTarget(reply.target ?? null)
              if (target !== null) flow = { return_to: target, ...flow }
            }),
          ),
          Effect.tapError((error) => Effect.sync(() => end(refusalOutcome(error)))),
          Effect.mapError((error) => withAllFaults(endpoint, sent, error, passwords)),
          Effect.map(({ body }) => encoded(endpoint, body)),
          Effect.provideContext(services as Context.Context<Exclude<R, Caller>>),
        ) as Effect.Effect<unknown, AuthError>
      }

      const open: Visit["Service"]["open"] = (name, input) =>
        Effect.suspend(() => Effect.provideService(followed(auth, request, name, input), Caller, caller)).pipe(
          Effect.provideContext(services as Context.Context<any>),
        )

      const url = new URL(request.url, site.core.public_url)
      const here = page.access === "session" ? ((yield* call("getSession")) as GetSessionPayload) : { session: null, user: null }
      const { session, user } = here
      const wished = [url.searchParams.get("ui_locales"), flow.locale, user?.locale, request.headers["accept-language"]]
      const texts = yield* textsFor(site, wished, page.isConsole === true ? "loadForConsole" : "load")
      // Mails that this visit causes are in the language of the page.
      caller = { ...caller, accept_language: texts.tag }

      /** Texts to show once are read by the first page that shows texts. */
      const { notice, problem: reason } = flow
      const reasonText = reason === undefined ? undefined : texts.find(reason)
      const kept = reasonText === undefined ? null : { message: reasonText, field: null }
      const viewWith = (problem: Problem | null): View => ({
        texts,
        branding: site.branding,
        href: (path, query) => hrefOf(site, path, query),
        asset: site.asset,
        here: `${url.pathname}${url.search}`,
        token: formToken(flow.browser, request.method === "POST" && Option.isNone(stored)),
        entered: (name) => field(form, name),
        problem: problem ?? kept,
        notice: notice === undefined || problem !== null ? null : (texts.find(notice) ?? null),
        impersonated: impersonatedIn(here),
        languages: site.languages.list,
        savesLanguage: session !== null && here.impersonated_by === undefined,
        wide: page.wide ?? page.access === "session",
      })

      const [shown = "", mac = "", mark] = field(form, "form_token").split(".")
      const isOf = (browser: string | undefined) => browser !== undefined && verifyHmacSha256(Buffer.from(browser), shown, mac)
      const opened: OpenVisit = {
        visit: (problem) => ({
          view: viewWith(problem),
          query: url.searchParams,
          form,
          site,
          has: (name) => {
            asked.add(name)
            return site.has(name)
          },
          call: call as Visit["Service"]["call"],
          because: (reason) => {
            why = reason
          },
          open,
          session: session === null || user === null ? null : { session, user },
          keys: Option.match(storedKeys, { onNone: () => true, onSome: ({ on }) => on }),
          setKeys: (on) => {
            changedKeys = { on }
          },
          lastUsed: Effect.suspend(() => Effect.provideService(lastUsed.read, Caller, caller)).pipe(
            Effect.map(Option.getOrNull),
            Effect.provideContext(services as Context.Context<Keys>),
          ),
          setLastUsed: (lastUsed) => {
            used = lastUsed
          },
          flow: () => flow,
          setFlow: (change) => {
            flow = withoutUndefined({ ...flow, ...change })
          },
        }),
        lacksCookies: Option.isNone(stored) && mark === again,
        hasToken: isOf(began.browser),
        submission: isOf(began.browser) || isOf(began.former) ? JSON.stringify([request.url, Object.entries(form)]) : null,
        holdsSecret: began.console_secret !== undefined,
        outcome: Effect.gen(function* () {
          const isChanged = Option.isNone(stored) || JSON.stringify(flow) !== JSON.stringify(began)
          const written = [
            ...(isChanged ? [{ ...(yield* cookie.write(flow)), from_elsewhere: true }] : []),
            ...(changedKeys === null ? [] : [yield* keys.write(changedKeys)]),
            ...(used === null ? [] : [{ ...(yield* lastUsed.write(used)), from_elsewhere: true }]),
          ]
          return written.length === 0 ? outcome : { ...outcome, cookies: [...(outcome.cookies ?? []), ...written] }
        }),
      }
      return opened
    })
  })

const impersonatedIn = ({ session, user, impersonated_by }: GetSessionPayload): View["impersonated"] =>
  impersonated_by === undefined || session === null || user === null ? null : { user: user.name ?? user.email, until: session.expires_at }

/** 128 bits. */
const randomText = () => randomBytes(16).toString("base64url")

/** Whether a call has opened another session than the caller's. */
const isSignIn = ({ session }: Outcome, { credential }: Caller["Service"]) =>
  session !== "keep" && session !== "clear" && session.credential !== credential

const withoutUndefined = (flow: { readonly [Member in keyof Flow]: Flow[Member] | undefined }) =>
  Object.fromEntries(Object.entries(flow).filter(([, value]) => value !== undefined)) as unknown as Flow
