import { Effect, Option, Schema } from "effect"
import { Settings } from "../settings.ts"
import { randomToken, tokenHash } from "../tokens/keys.ts"
import { Caller } from "./caller.ts"
import * as SignedCookie from "./signed-cookie.ts"

/** Ties what somebody begins to the browser that begins it, by a cookie of this name that lives some seconds. */
export const make = (name: string, lifetime: number) => {
  const cookie = (name: string) => SignedCookie.make(name, Schema.String, lifetime)
  const [hostOnly, plain] = [cookie(`__Host-${name}`), cookie(name)]
  const hashOf = (kept: string) => tokenHash(`browser/${name}`, kept)

  /** What browsers keep. Under the prefix no page of a neighbouring host can plant the cookie of something that it began itself. */
  const kept = Effect.map(Settings, ({ cookie }) => (cookie.host_prefix && cookie.secure ? hostOnly : plain))

  /** The hash of the browser that the request comes from; none where it did not bring the cookie. */
  const present = Effect.gen(function* () {
    const browser = yield* (yield* kept).read
    return Option.isSome(browser) ? Option.some(yield* hashOf(browser.value)) : Option.none<string>()
  })

  return {
    present,
    /** What to remember of the caller's browser, and the cookie to leave with it: what is begun in several tabs shares one. */
    bind: Effect.gen(function* () {
      const { read, write } = yield* kept
      const browser = Option.getOrElse(yield* read, () => "") || (yield* randomToken)
      return { hash: yield* hashOf(browser), cookie: yield* write(browser) }
    }),
    /** The cookie that ends the binding in the caller's browser. */
    unbind: Effect.map(kept, ({ clear }) => clear),
    /** Whether the caller's browser is the one. Other software than browsers is led nowhere by strangers, and need not keep cookies. */
    isSame: Effect.fnUntraced(function* isSameBrowser(hash: string) {
      const { from_browser } = yield* Caller
      return !from_browser || Option.contains(yield* present, hash)
    }),
  }
}
