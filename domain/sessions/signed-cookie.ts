import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Settings } from "../settings.ts"
import { Keys } from "../tokens/keys.ts"
import { Caller } from "./caller.ts"

/** A cookie for the caller's browser. */
export interface Cookie {
  readonly name: string
  /** Empty to delete the cookie. */
  readonly value: string
  /** Seconds. */
  readonly max_age: number
  /** Whether the browser also sends the cookie when another site navigates here: then `SameSite=Strict` becomes `Lax`. */
  readonly from_elsewhere?: boolean
}

interface Encoding<A> {
  readonly encode: (value: A) => Effect.Effect<string, never, Keys>
  readonly decode: (text: string) => Effect.Effect<Option.Option<A>, never, Keys>
}

/** A small signed record in the browser, with its own key. Only this service can create one; the user of the browser can read it. */
export const make = <A>(name: string, schema: Schema.Codec<A, any>, max_age: number) => {
  const json = jsonOf(schema)
  return signed<A>(name, max_age, {
    encode: (value) => Effect.map(json.encode(value), Base64Url.encode),
    decode: (text) => {
      const decoded = Base64Url.decodeString(text)
      return Effect.succeed(decoded._tag === "Success" ? json.decode(decoded.success) : Option.none())
    },
  })
}

/** The same, also encrypted, so that the cookie reveals nothing. */
export const makeSealed = <A>(name: string, schema: Schema.Codec<A, any>, max_age: number) => {
  const json = jsonOf(schema)
  const purpose = `cookie/${name}`
  return signed<A>(name, max_age, {
    encode: (value) => Effect.flatMap(json.encode(value), (text) => Keys.use(({ seal }) => seal(purpose, text))),
    decode: (text) => Keys.use(({ open }) => open(purpose, text)).pipe(Effect.map(Option.flatMap(json.decode))),
  })
}

/**
 * The cookie with the prefix `__Host-` where the settings allow the prefix: then no other host of the domain can set or replace the cookie.
 */
export const hostBound = <C>(name: string, cookieNamed: (name: string) => C) => {
  const [hostOnly, plain] = [cookieNamed(`__Host-${name}`), cookieNamed(name)]
  return Effect.map(Settings, ({ cookie }) => (cookie.host_prefix && cookie.secure ? hostOnly : plain))
}

const jsonOf = <A>(schema: Schema.Codec<A, any>) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(schema))
  const encode = Schema.encodeEffect(json)
  return { encode: (value: A) => Effect.orDie(encode(value)), decode: Schema.decodeUnknownOption(json) }
}

const signed = <A>(name: string, max_age: number, { encode, decode }: Encoding<A>) => {
  const purpose = `cookie/${name}`
  return {
    /** The record of the request's cookie; none without a valid signature. */
    read: Effect.gen(function* () {
      const { cookies } = yield* Caller
      const [text, signature, ...rest] = cookies[name]?.split(".") ?? []
      if (text === undefined || signature === undefined || rest.length > 0) return Option.none<A>()
      return (yield* (yield* Keys).verify(purpose, text, signature)) ? yield* decode(text) : Option.none<A>()
    }),
    write: Effect.fnUntraced(function* writeSignedCookie(value: A) {
      const text = yield* encode(value)
      return { name, value: `${text}.${yield* (yield* Keys).sign(purpose, text)}`, max_age } satisfies Cookie
    }),
    clear: { name, value: "", max_age: 0 } satisfies Cookie,
  }
}
