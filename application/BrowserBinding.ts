import { Effect, Option, Schema } from "effect"
import { Caller } from "./Caller.ts"
import { randomToken, tokenHash } from "./Keys.ts"
import { Settings } from "./Settings.ts"
import * as SignedCookie from "./SignedCookie.ts"

/** Ties what somebody begins to the browser that begins it, by a cookie of this name that lives some seconds. */
export const make = (name: string, lifetime: number) => {
  const cookie = (name: string) => SignedCookie.make(name, Schema.String, lifetime)
  const [hostOnly, plain] = [cookie(`__Host-${name}`), cookie(name)]
  const hashOf = (kept: string) => tokenHash(`browser/${name}`, kept)

  /** What browsers keep. Under the prefix no page of a neighbouring host can plant the cookie of something that it began itself. */
  const kept = Effect.map(Settings, ({ cookie }) => (cookie.host_prefix && cookie.secure ? hostOnly : plain))

  return {
    /** What to remember of the caller's browser, and the cookie to leave with it: what is begun in several tabs shares one. */
    bind: Effect.gen(function* () {
      const { read, write } = yield* kept
      const browser = Option.getOrElse(yield* read, () => "") || (yield* randomToken)
      return { hash: yield* hashOf(browser), cookie: yield* write(browser) }
    }),
    /** Whether the caller's browser is the one. Other software than browsers is led nowhere by strangers, and need not keep cookies. */
    isSame: Effect.fnUntraced(function* (hash: string) {
      const { from_browser } = yield* Caller
      if (!from_browser) return true
      const browser = yield* (yield* kept).read
      return Option.isSome(browser) && (yield* hashOf(browser.value)) === hash
    }),
  }
}
