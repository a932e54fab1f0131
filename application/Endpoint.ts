import type { Effect } from "effect"
import { Schema } from "effect"
import type { AuthError, ErrorClass } from "../domain/Errors.ts"
import type { CurrentSession } from "./Caller.ts"
import type { Issued } from "./Sessions.ts"

/** What a handler answers: a body, and what becomes of the caller's session. */
export interface Reply<out A> {
  readonly body: A
  readonly session: Issued | "clear" | "keep"
}
export const reply = <const A>(body: A, session: Reply<A>["session"] = "keep"): Reply<A> => ({ body, session })

/** An error an endpoint can answer, with the default status of its code or another. */
export type DeclaredError = ErrorClass | readonly [error: ErrorClass, status: number]
type CodeOf<E extends DeclaredError> =
  E extends ErrorClass<infer Code> ? Code : E extends readonly [ErrorClass<infer Code>, number] ? Code : never

/** Codes that every endpoint can answer; they are not declared. */
type CommonCode = "overloaded" | "rate_limited" | "unauthorized" | "forbidden"

/** Who may call: anybody, or only callers with a valid session. */
export type Access = "public" | "session"

/**
 * One operation of the service. Shells are read off this value: the REST route
 * knows nothing that does not stand here.
 */
export interface Endpoint<I, O, R> {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  readonly input: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  readonly errors: ReadonlyArray<DeclaredError>
  readonly handler: (input: I) => Effect.Effect<Reply<O>, AuthError, R>
}
export type AnyEndpoint<R = any> = Endpoint<any, any, R>

/** Declares an operation. A handler that fails with a code it does not declare does not compile. */
export const make = <I, O, const Errors extends ReadonlyArray<DeclaredError>, const A extends Access, R>(endpoint: {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  /** One sentence for people who read the API's documentation. */
  readonly summary: string
  readonly access: A
  readonly input: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  readonly errors: Errors
  readonly handler: (input: I) => Effect.Effect<Reply<O>, AuthError<CodeOf<Errors[number]> | CommonCode>, R>
}): Endpoint<I, O, A extends "session" ? Exclude<R, CurrentSession> : R> => endpoint as Endpoint<I, O, any>

/** The status an error has at this endpoint. */
export const statusOf = (endpoint: AnyEndpoint, error: AuthError): number => {
  const own = endpoint.errors.find((declared) => Array.isArray(declared) && declared[0].code === error._tag)
  return Array.isArray(own) ? own[1] : error.status
}

/** The input of an operation that takes none. */
export const NoInput = Schema.Struct({})

/** The output of an operation that has nothing to tell. */
export const Success = Schema.Struct({ success: Schema.Literal(true) })
export const succeeded = { success: true } as const
