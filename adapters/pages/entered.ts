import { Effect } from "effect"
import { field, Visit } from "./page.ts"

/** The code of a form, without the spaces and dashes that people and messages put between its digits. */
export const enteredCode = Effect.map(Visit, ({ form }) => field(form, "code").replace(/[\s\p{Pd}.]/gu, ""))

/** The parsed JSON of a field that a script filled in. Its type is unchecked: the endpoint that gets it refuses any other value. */
export const enteredJson = <A>(name: string) =>
  Effect.map(Visit, ({ form }) => {
    try {
      return JSON.parse(field(form, name)) as A
    } catch {
      return null as A
    }
  })

/** The address or name that the link to a page suggests. */
export const hintIn = (query: URLSearchParams): string | undefined => query.get("login_hint")?.slice(0, 254)
