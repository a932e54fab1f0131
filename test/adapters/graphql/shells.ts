import { Effect, type Layer, Option } from "effect"
import type { GraphQLSchema } from "graphql"
import * as Auth from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { emails, mailedToken, texts } from "../../world.ts"
import type { Answer } from "../http/served.ts"
import { get, post } from "../http/served.ts"
import { graphqlServed, sent } from "./request.ts"
import { asInput, asWire, fieldOf, operationOf, withoutNulls } from "./wire.ts"

// Sends one call, or a sequence of calls, by REST or by GraphQL.

type Services = Layer.Success<ReturnType<typeof graphqlServed>>
type Input = Readonly<Record<string, unknown>>

/** The newest answer of each endpoint so far. */
export type Said = Readonly<Record<string, any>>

/** A call: the endpoint, its input, and the caller (without a session if omitted). */
export type Step = readonly [endpoint: string, input?: Input | ((said: Said) => Effect.Effect<Input, never, Services>), who?: string]

/** The token that was mailed last. */
export const mailed = Effect.map(mailedToken, (token) => ({ token }))

const digits = (text: string | undefined) => Option.getOrThrow(Option.fromUndefinedOr(/\b\d{6}\b/.exec(text ?? "")?.[0]))
/** The code in the last mail, and the code in the last text message. */
export const mailedCode = Effect.map(emails, (all) => digits(all.at(-1)?.text))
export const textedCode = Effect.map(texts, (all) => digits(all.at(-1)?.text))

/** The result of a call: success or refusal, the body, and the cookies and session that the browser keeps. */
export interface Outcome {
  /** `ok`, or the refusal's status and code. */
  readonly verdict: string
  readonly body: unknown
  readonly cookies: ReadonlyArray<string>
  readonly token: "kept" | "ended" | "given"
  readonly changed: boolean
}
type Call = (
  name: string,
  endpoint: AnyEndpoint,
  input: Input,
  cookie: string,
) => Effect.Effect<Pick<Outcome, "verdict" | "body"> & { readonly answer: Answer }, never, Services>

const headersOf = (cookie: string) => (cookie === "" ? {} : { cookie })

export const overRest: Call = (_, { method, path }, input, cookie) => {
  const headers = headersOf(cookie)
  const search = new URLSearchParams(Object.entries(input).map(([member, value]) => [member, String(value)]))
  const asked = method === "GET" ? get(`${path}?${search}`, { headers }) : post(path, input, { headers })
  return Effect.map(asked, (answer) => {
    const { error } = answer.json
    if (error !== undefined) return { verdict: `${answer.status} ${error.code}`, body: undefined, answer }
    return { verdict: "ok", body: withoutNulls(answer.json), answer }
  }) as ReturnType<Call>
}

export const overGraphql =
  (schema: GraphQLSchema): Call =>
  (name, endpoint, input, cookie) => {
    const field = fieldOf(schema, name, endpoint.method)
    const [argument] = field.args
    const variables = argument === undefined ? {} : { input: asInput(argument.type, input) }
    return Effect.map(sent({ query: operationOf(schema, name, endpoint), variables }, { headers: headersOf(cookie) }), (answer) => {
      const [error] = answer.errors
      if (error !== undefined) return { verdict: `${error.extensions.status} ${error.extensions.code}`, body: undefined, answer }
      return { verdict: "ok", body: withoutNulls(asWire(schema, field.type, answer.data[name])), answer }
    }) as ReturnType<Call>
  }

/** Replaces ids, secrets and times, which differ between runs. */
const scrubbed = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (member, value) => {
    if (member === "backup_codes" || member === "hint") return value.length
    if (member === "ms" || member.endsWith("_age_s") || member === "oldest_s") return "a duration"
    if (typeof value === "number") return value > 1_000_000_000 ? "a moment" : value
    if (typeof value !== "string") return value
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "a moment"
    if (/^[a-z]+:\S*\?/.test(value)) return value.slice(0, value.indexOf("?"))
    return /^(guest:)?[\w.~+/=-]{16,}$/.test(value) ? "by chance" : value
  })

const tokenIn = ({ headers }: Answer): Outcome["token"] => {
  const token = headers["set-auth-token"]
  if (token === undefined) return "kept"
  return token === "" ? "ended" : "given"
}

/** What is left of a session's time depends on the moment. */
const cookieScrubbed = (set: string) => set.replace(/^([^=]+)=[^;]+/, "$1=…").replace(/Max-Age=[1-9]\d*/, "Max-Age=…")

/** Makes the calls one after another in a new world; each caller has separate cookies. */
export const performed = (call: Call, modules: ReadonlyArray<AnyModule>, script: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const { endpoints } = Auth.make(modules)
    const jars = new Map<string, Map<string, string>>()
    const said: Record<string, unknown> = {}
    const outcomes: Array<Outcome & { readonly step: string }> = []
    for (const [name, given = {}, who = ""] of script) {
      const jar = jars.get(who) ?? new Map<string, string>()
      if (who !== "") jars.set(who, jar)
      const input = typeof given === "function" ? yield* given(said) : given
      const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
      const endpoint = endpoints[name]
      if (endpoint === undefined) return yield* Effect.die(new Error(`no module declares ${name}`))
      const { verdict, body, answer } = yield* call(name, endpoint, input, cookie)
      const set = answer.headers["set-cookie"] ?? []
      for (const each of set) {
        const [, cookie = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        if (value === "") jar.delete(cookie)
        else jar.set(cookie, value)
      }
      if (verdict === "ok") said[name] = body
      outcomes.push({
        step: `${who} ${name} ${typeof given === "function" ? "" : JSON.stringify(given)}`,
        verdict,
        body: scrubbed(body),
        cookies: set.map(cookieScrubbed),
        token: tokenIn(answer),
        changed: answer.headers["session-changed"] === "?1",
      })
    }
    return outcomes
  }).pipe(Effect.provide(graphqlServed({ modules })), Effect.scoped)
