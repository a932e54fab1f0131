import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { type AuthError, NotFound, Unauthorized } from "../../domain/errors.ts"
import { processOnce } from "../../domain/sessions/submissions.ts"
import { Drain } from "../http/drain.ts"
import { eventStream } from "../http/event-stream.ts"
import { makeExchange } from "../http/exchange.ts"
import type { Refuse } from "../http/refusals.ts"
import { retryHeaders } from "../http/response-headers.ts"
import { compressedPage } from "./encoding.ts"
import { errorPage } from "./error-page.ts"
import { field, type Page, type Resource, type Shown, Visit } from "./page.ts"
import { NoCookies, problemOf, StaleForm } from "./problems.ts"
import { responseFrom, responseOf, textOf } from "./responses.ts"
import { hrefOf, type Site, textsFor } from "./site.ts"
import type { View } from "./view.ts"
import { makeVisits, type OpenVisit } from "./visits.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Answers the requests to pages, and to resources of their scripts. */
export const makeHandlers = <R>(auth: Auth<R>, site: Site) =>
  Effect.gen(function* () {
    const { answer } = yield* makeExchange(auth)
    const openVisit = yield* makeVisits(auth, site)
    const { closing } = yield* Drain

    const handlePage = (page: Page) =>
      Effect.fnUntraced(function* handlePage(request: Request, address: string | null, id: string) {
        const visit = yield* openVisit(page, request, address)
        const respond = Effect.gen(function* () {
          const isForm = request.method === "POST"
          const [view, shown, isDone = false] = yield* isForm ? submitted(page, visit, request, id) : opened(page, visit, request, id)
          if ("main" in shown) visit.visit(null).setFlow({ notice: undefined, problem: undefined })
          const content = "stream" in shown ? eventStream(shown.stream, closing) : responseOf(view, shown)
          const response = answer(content, yield* visit.outcome)
          const isCompressed = page.isConsole === true && !isForm && !visit.holdsSecret
          // A file may be too large to be stored: a repeated form makes it again.
          const text = isDone && !("file" in shown) ? textOf(response) : null
          return { answer: isCompressed ? compressedPage(request, response) : response, text }
        })
        return yield* visit.submission === null
          ? Effect.map(respond, (responded) => responded.answer)
          : processOnce(visit.submission, respond, responseFrom)
      })

    const handleResource = ({ access, needs, answer: answered }: Resource) =>
      Effect.fnUntraced(function* handleResource(request: Request, address: string | null) {
        const visit = yield* openVisit({ access, needs }, request, address)
        if (!visit.hasToken) return yield* new StaleForm()
        const own = visit.visit(null)
        if (access === "session" && own.session === null) return yield* new Unauthorized()
        const body = yield* Effect.provideService(answered, Visit, own)
        return answer(HttpServerResponse.jsonUnsafe(body), yield* visit.outcome)
      })
    return { handlePage, handleResource }
  })

/** What a page shows; of a form, whether its action succeeded. */
type Responded = readonly [view: View, shown: Shown, isDone?: boolean]

const opened = (page: Page, { visit }: OpenVisit, request: Request, id: string) => {
  const own = visit(null)
  if (page.access === "session" && own.session === null) return Effect.succeed<Responded>([own.view, toSignIn(own.site, request)])
  return page.show.pipe(
    Effect.provideService(Visit, own),
    Effect.catch((error) => elsewhere(own, error, request, id)),
    Effect.map((shown): Responded => [own.view, shown]),
  )
}

/** Runs the action of a form; after a refusal the page is shown again with the problem. */
const submitted = (page: Page, opened: OpenVisit, request: Request, id: string) => {
  const own = opened.visit(null)
  if (page.access === "session" && own.session === null) return Effect.succeed<Responded>([own.view, toSignIn(own.site, request)])
  const attempt = Effect.suspend((): Effect.Effect<Shown, AuthError, Visit> => {
    if (opened.lacksCookies) return Effect.fail(new NoCookies())
    if (!opened.hasToken) return Effect.fail(new StaleForm())
    const action = field(own.form, "action")
    const run = page.actions !== undefined && Object.hasOwn(page.actions, action) ? page.actions[action] : undefined
    return run ?? Effect.fail(new NotFound())
  })
  return attempt.pipe(
    Effect.provideService(Visit, own),
    Effect.map((shown): Responded => [own.view, afterForm(own.site, shown), true]),
    Effect.catch((error) => {
      if (isElsewhere(error)) return Effect.map(elsewhere(own, error, request, id), (shown): Responded => [own.view, shown])
      const again = opened.visit(
        problemOf(error, own.view.texts, { entered: own.form, problems: page.problems ?? {}, passwords: own.site.core.email_password }),
      )
      return page.show.pipe(
        Effect.provideService(Visit, again),
        Effect.map((shown): Shown => ("main" in shown ? { ...shown, status: error.status, headers: retryHeaders(error) } : shown)),
        Effect.catch((second) => elsewhere(own, second, request, id)),
        Effect.map((shown): Responded => [again.view, shown]),
      )
    }),
  )
}

/**
 * Endpoints of other protocols redirect to clients. Browsers apply `form-action` to such redirects after a form too, and would stay on the
 * page. An absolute address leads there by a page (`responseOf`).
 */
const afterForm = ({ core: { base_path, public_url } }: Site, shown: Shown): Shown =>
  "to" in shown && shown.to.startsWith(`${base_path}/oauth2/`) ? { ...shown, to: `${public_url}${shown.to}` } : shown

/** Errors that another page than the refused one shows. */
const isElsewhere = ({ _tag }: AuthError) => ["session_not_fresh", "unauthorized", "not_found", "no_cookies"].includes(_tag)

const elsewhere = ({ view, site }: Visit["Service"], error: AuthError, request: Request, id: string): Effect.Effect<Shown> => {
  if (error._tag === "unauthorized") return Effect.succeed(toSignIn(site, request))
  if (error._tag === "session_not_fresh") return Effect.succeed({ to: hrefOf(site, "/step-up", { return_to: request.url }) })
  return Effect.succeed(errorPage(view, error, error.status >= 500 ? id : null))
}

const toSignIn = (site: Site, request: Request): Shown => ({ to: hrefOf(site, "/sign-in", { return_to: request.url }) })

/** The page of a refusal by the guard, before a visit is opened. */
export const refusedBy =
  (site: Site): Refuse =>
  (error, request, _, always) =>
    Effect.map(textsFor(site, [request.headers["accept-language"]]), (texts) => {
      const view = {
        texts,
        branding: site.branding,
        href: (page: string, query?: Readonly<Record<string, string>>) => hrefOf(site, page, query),
        asset: site.asset,
        here: "",
        token: "",
        entered: () => "",
        problem: null,
        notice: null,
        impersonated: null,
        languages: [],
        savesLanguage: false,
        wide: false,
      }
      const response = responseOf(view, errorPage(view, error, always["x-request-id"] ?? null))
      return HttpServerResponse.setHeaders(response, { ...always, ...response.headers })
    })
