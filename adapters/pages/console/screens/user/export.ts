import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import type { Template } from "../../screen.ts"
import { showSecret } from "../../secret.ts"
import { userSubject } from "./subject.ts"

const path = "/user/export"

/** The address of the download, which works once. */
export const readyTemplate: Template<string> = (view, url) => {
  const { t } = view.texts
  return html`<p>${t("console.user.export.ready")}</p><p><a class="button small" href="${url}" download>${t("console.user.export.download")}</a></p>`
}

export const exportUser = confirmation({
  path,
  permission: "users:export",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersExport"],
  title: "console.user.export",
  text: "console.user.export.text",
  subject: userSubject,
  secret: readyTemplate,
  run: Effect.fnUntraced(function* exportDataOf({ id: user_id }) {
    const { call } = yield* Visit
    const { url } = yield* call("adminUsersExport", { user_id })
    return yield* showSecret(url, path, undefined, { id: user_id })
  }),
})
