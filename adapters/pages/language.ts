import { Effect } from "effect"
import { field, page, Visit } from "./page.ts"
import { signedInUser } from "./sign-in/complete.ts"

const back = Effect.map(Visit, ({ query, site, view }) => ({ to: site.returnTarget(query.get("return_to")) ?? view.href("/") }))

/** Keeps the language of the visitor in this browser. */
const keep = Effect.map(Visit, ({ query, form, setFlow, site }) => {
  const locale = site.languages.best([query.get("tag") ?? field(form, "tag")])
  setFlow({ locale })
  return locale
})

/** Stores the language of the visitor, and redirects to the page with the link or the form. The form also stores it in the account. */
export const language = page({
  path: "/language",
  needs: [],
  access: "public",
  show: Effect.andThen(keep, back),
  actions: {
    save: Effect.gen(function* () {
      const { call } = yield* Visit
      const locale = yield* keep
      if ((yield* signedInUser) !== null) yield* call("updateUser", { locale })
      return yield* back
    }),
  },
})
