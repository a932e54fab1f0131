import { Effect, Option, Schema } from "effect"
import { randomToken, tokenHash } from "../tokens/keys.ts"
import { Caller } from "./caller.ts"
import * as SignedCookie from "./signed-cookie.ts"

/** Binds a flow to the browser that starts it, by a cookie with this name and this lifetime in seconds. */
export const make = (name: string, lifetime: number) => {
  const hashOf = (value: string) => tokenHash(`browser/${name}`, value)

  /** Bound to the host: otherwise an attacker on another host of the domain could set the cookie of a flow that the attacker started. */
  const signedCookie = SignedCookie.hostBound(name, (full) => SignedCookie.make(full, Schema.String, lifetime))

  /** The hash of the cookie's value; none for a request without the cookie. */
  const present = Effect.gen(function* () {
    const browser = yield* (yield* signedCookie).read
    return Option.isSome(browser) ? Option.some(yield* hashOf(browser.value)) : Option.none<string>()
  })

  return {
    present,
    /** The hash to store with the flow, and the cookie to set. Flows in several tabs share one cookie. */
    bind: Effect.gen(function* () {
      const { read, write } = yield* signedCookie
      const browser = Option.getOrElse(yield* read, () => "") || (yield* randomToken)
      return { hash: yield* hashOf(browser), cookie: yield* write(browser) }
    }),
    /** The cookie that removes the binding from the caller's browser. */
    unbind: Effect.map(signedCookie, ({ clear }) => clear),
    /**
     * Whether the caller's browser started the flow. Clients other than browsers need no cookie: an attacker's page cannot make them send
     * requests.
     */
    isSame: Effect.fnUntraced(function* isSameBrowser(hash: string) {
      const { from_browser } = yield* Caller
      return !from_browser || Option.contains(yield* present, hash)
    }),
  }
}
