import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../../components/direction.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { id } from "../../parts/values.ts"
import { goTo, Operator } from "../../screen.ts"
import { typedUserSubject } from "./subject.ts"

/** The other user, by the id or the address in the query. */
const other = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const into = (query.get("into") ?? "").trim()
  return yield* call("adminUsersShow", into.includes("@") ? { email: into } : { user_id: into })
})

const intoVersion = "into_version"

export const mergeUser = confirmation({
  path: "/user/merge",
  permission: "users:merge",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersMerge"],
  title: "console.user.merge",
  text: "console.user.merge.text",
  subject: Effect.gen(function* () {
    const { t } = (yield* Operator).view.texts
    const [subject, { user, version }] = yield* Effect.all([typedUserSubject, other], { concurrency: 2 })
    const about = [
      ...subject.about,
      [t("console.user.merge.other"), leftToRight(user.email)] as const,
      [t("console.user.merge.other_id"), id(user.id)] as const,
    ]
    return { ...subject, about, into: user.id, into_version: version }
  }),
  fields: (view, { into_version }) =>
    html`<input type="hidden" name="${intoVersion}" value="${view.entered(intoVersion) || into_version}">`,
  run: Effect.fnUntraced(function* mergeInto({ id: from, into }, { version }) {
    const { call, form } = yield* Visit
    const { job } = yield* call("adminUsersMerge", { from, into, from_version: version, into_version: field(form, intoVersion) })
    return yield* goTo("/job", "console.user.merge.started", { id: job.id })
  }),
})
