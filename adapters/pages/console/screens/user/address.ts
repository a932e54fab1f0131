import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { othersEmailField } from "../../../account/parts.ts"
import { checkbox } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { userSubject } from "./subject.ts"

export const setAddress = confirmation({
  path: "/user/address",
  permission: "users:credentials",
  section: "/users",
  needs: ["adminUsersShow", "adminUsersSetEmail"],
  title: "console.user.address.change",
  text: "console.user.address.text",
  subject: userSubject,
  fields: (view) =>
    html`${othersEmailField(view)}${checkbox(view, { name: "verified", label: view.texts.t("console.user.address.verified") })}`,
  run: Effect.fnUntraced(function* setAddressOf({ id: user_id }, { version }) {
    const { call, form } = yield* Visit
    const email_verified = field(form, "verified") === "yes"
    yield* call("adminUsersSetEmail", { user_id, email: field(form, "email"), email_verified, expected_version: version })
    return "console.user.address.changed" as const
  }),
})
