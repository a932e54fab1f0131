import { Effect, Option, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Caller } from "./Caller.ts"
import { Keys } from "./Keys.ts"

/** A value for the caller's browser to keep and bring back. */
export interface Cookie {
  readonly name: string
  /** Empty to have it forgotten. */
  readonly value: string
  /** Seconds. */
  readonly max_age: number
  /** Whether it has to come along when another site sends the browser here, which cookies that are `Strict` do not. */
  readonly from_elsewhere?: boolean
}

/** A small record that a module leaves with the browser, signed with a key of its own: nobody can make or change one, its holder can read it. */
export const make = <A>(name: string, schema: Schema.Codec<A, any>, max_age: number) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(schema))
  const purpose = `cookie/${name}`

  return {
    /** What the caller's browser brought; none when it was not made here. */
    read: Effect.gen(function* () {
      const { cookies } = yield* Caller
      const [text, signature, ...rest] = cookies[name]?.split(".") ?? []
      if (text === undefined || signature === undefined || rest.length > 0) return Option.none<A>()
      if (!(yield* (yield* Keys).verify(purpose, text, signature))) return Option.none<A>()
      const decoded = Base64Url.decodeString(text)
      return decoded._tag === "Success" ? Schema.decodeUnknownOption(json)(decoded.success) : Option.none<A>()
    }),
    write: Effect.fnUntraced(function* (value: A) {
      const text = Base64Url.encode(yield* Effect.orDie(Schema.encodeEffect(json)(value)))
      const cookie: Cookie = { name, value: `${text}.${yield* (yield* Keys).sign(purpose, text)}`, max_age }
      return cookie
    }),
    clear: { name, value: "", max_age: 0 } satisfies Cookie,
  }
}
