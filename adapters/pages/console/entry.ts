import { Clock, Effect } from "effect"
import type { Permission } from "../../../domain/administration/permissions.ts"
import { type AuthError, NotFound, SessionNotFresh } from "../../../domain/errors.ts"
import { type Page, type Shown, Visit } from "../page.ts"
import type { Settings } from "../settings.ts"
import { denied } from "./denied.ts"
import { framed, placesOf } from "./frame.ts"
import { keepingReason } from "./reason.ts"
import { type ConsoleView, Operator, type Screen } from "./screen.ts"
import { screens } from "./screens.ts"

type ConsoleSettings = NonNullable<Settings["admin"]>

/** The path of a page of the console, below `pages.path`. */
const pathIn = ({ path }: ConsoleSettings, screen: string) => (screen === "/" ? path : `${path}${screen}`)

/** The pages of the console with the screens of modules; none where it is off. */
export const consolePages = ({ admin }: Pick<Settings, "admin">, own: ReadonlyArray<Screen> = []): ReadonlyArray<Page> => {
  if (admin === undefined) return []
  const all = [...screens.filter(({ isLive }) => isLive !== true || admin.live), ...own]
  return all.map((screen) => pageOf(screen, admin, all))
}

const pageOf = ({ actions, ...screen }: Screen, settings: ConsoleSettings, all: ReadonlyArray<Screen>): Page => {
  const entered = Effect.fnUntraced(function* enteredScreen(run: Screen["show"]): Effect.fn.Return<Shown, AuthError, Visit> {
    const operator = yield* enter(settings, all)
    return operator === null ? yield* toFactors : yield* shownTo(operator, screen, run, settings)
  })
  return {
    path: pathIn(settings, screen.path),
    needs: ["adminMe", ...screen.needs],
    uses: ["adminRolesList", ...(screen.uses ?? [])],
    access: "session",
    wide: true,
    isConsole: true,
    problems: { forbidden: "console.problem.forbidden", ...screen.problems },
    show: entered(screen.show),
    ...(actions && { actions: Object.fromEntries(Object.entries(actions).map(([name, run]) => [name, keepingReason(entered(run))])) }),
  }
}

/** Administrators who lack the factor that they must have are sent to the page on which they add one. */
const toFactors = Effect.gen(function* () {
  const { view, setFlow } = yield* Visit
  setFlow({ problem: "account.factor_needed" })
  return { to: view.href("/account/security") }
})

/**
 * Lets administrators in; null: they lack a factor. For other users, and in the session of another user, the console does not exist.
 */
const enter = Effect.fnUntraced(function* enterConsole(
  settings: ConsoleSettings,
  all: ReadonlyArray<Screen>,
): Effect.fn.Return<Operator["Service"] | null, AuthError, Visit> {
  const { view, call, site, keys } = yield* Visit
  if (view.impersonated !== null) return yield* new NotFound()
  const me = yield* Effect.catch(call("adminMe"), (refused) => {
    if (refused._tag !== "forbidden") return Effect.fail(refused)
    return refused.reason === "second_factor" ? Effect.succeed(null) : Effect.fail(new NotFound())
  })
  if (me === null) return null
  const proved_at = Date.parse(me.proved_at ?? "")
  if (!((yield* Clock.currentTimeMillis) - proved_at < settings.max_age * 1000)) return yield* new SessionNotFresh()
  const hidesPrivate = me.needs_step_up.includes("users:private")
  const held: ReadonlySet<Permission> = new Set(me.permissions.filter((permission) => !hidesPrivate || permission !== "users:private"))
  const own: ConsoleView = {
    ...view,
    at: (path, query) => view.href(pathIn(settings, path), query),
    may: (permission) => held.has(permission),
    hidesPrivate,
    hasKeys: keys,
  }
  return Operator.of({ view: own, id: me.id, places: placesOf(all, own, site.has), proved_at })
})

const shownTo = Effect.fnUntraced(function* shownToOperator(
  operator: Operator["Service"],
  screen: Omit<Screen, "actions">,
  run: Screen["show"],
  settings: ConsoleSettings,
): Effect.fn.Return<Shown, AuthError, Visit> {
  const { permission, also = [] } = screen
  const lacked = [...(permission === null ? [] : [permission]), ...also].find((each) => !operator.view.may(each))
  const shown: Screen["show"] = lacked === undefined ? run : denied(lacked)
  const answer = yield* Effect.provideService(shown, Operator, operator)
  return "main" in answer ? framed(answer, operator, screen, settings.label) : answer
})
