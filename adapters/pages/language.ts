import { Effect } from "effect"
import { page, Visit } from "./page.ts"

/** Stores the language of the visitor, and redirects to the page with the link. */
export const language = page({
  path: "/language",
  needs: [],
  access: "public",
  show: Effect.map(Visit, ({ query, setFlow, site, view }) => {
    setFlow({ locale: site.languages.best([query.get("tag") ?? undefined]) })
    return { to: site.returnTarget(query.get("return_to")) ?? view.href("/") }
  }),
})
