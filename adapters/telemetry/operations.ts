import { Effect, type Exit, Metric } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Reply } from "../../application/service/endpoint.ts"
import type { AnyModule } from "../../application/service/module.ts"
import { fault, type Instruments, type SignInOutcome } from "./instruments.ts"
import { failureCode } from "./spans.ts"

/** The result code of a call, as `observe` of modules receives it. */
const codeOf = (exit: Exit.Exit<Reply<unknown>, unknown>): string =>
  exit._tag === "Success" ? (exit.value.isChallenge === true ? "challenged" : "ok") : (failureCode(exit) ?? "internal_error")

const faults = ["internal_error", "unavailable", "overloaded"]

const signInOutcome = (code: string): SignInOutcome => {
  if (code === "ok") return "succeeded"
  if (code === "challenged") return "challenged"
  if (code === "rate_limited") return "locked"
  return code === "interrupted" || faults.includes(code) ? "error" : "failed"
}

const refusals: Readonly<Record<string, string>> = { rate_limited: "limit.reached", forbidden: "access.denied", banned: "access.denied" }

/** The security outcome of a call, if it is one: a sign-in, a spent budget, or a refused caller. */
export const securityOutcome = (endpoint: AnyEndpoint, code: string): string | undefined => {
  if (endpoint.signsIn === undefined) return refusals[code]
  const outcome = signInOutcome(code)
  return outcome === "error" ? undefined : `sign_in.${outcome}`
}

/**
 * Observes every call of the service, whichever shell it came from: counts it, logs security outcomes at `info`, and opens a span. Unlike
 * `observe` of modules it looks up no session.
 */
export const observed = <R>(
  auth: Auth<R>,
  modules: ReadonlyArray<AnyModule>,
  { instruments, traces }: { readonly instruments: Instruments | undefined; readonly traces: boolean },
): Auth<R> => {
  const methods = new Map(modules.flatMap(({ name, endpoints }) => Object.keys(endpoints).map((operation) => [operation, name] as const)))

  const record = (endpoint: AnyEndpoint, exit: Exit.Exit<Reply<unknown>, unknown>) => {
    const code = codeOf(exit)
    const method = methods.get(endpoint.name) ?? "other"
    const counts = code === "interrupted" ? [] : [instruments?.operation(endpoint.name, faults.includes(code) ? fault : code)]
    if (endpoint.signsIn !== undefined) counts.push(instruments?.signIn(method, signInOutcome(code)))
    const counted = Effect.forEach(counts, (count) => (count === undefined ? Effect.void : Metric.update(count, 1)), { discard: true })
    const type = securityOutcome(endpoint, code)
    if (type === undefined) return counted
    const line = Effect.annotateLogs(Effect.logInfo(type), { type, operation: endpoint.name, method, code })
    return Effect.andThen(counted, line)
  }

  const call: Auth<R>["call"] = (endpoint, raw) => {
    const called = auth.call(endpoint, raw)
    const spanned = traces ? Effect.withSpan(called, endpoint.name, { captureStackTrace: false }) : called
    return Effect.onExit(spanned, (exit) => record(endpoint, exit))
  }
  return { ...auth, call }
}
