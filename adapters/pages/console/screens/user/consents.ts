import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../../components/form.ts"
import { named } from "../../../components/names.ts"
import { field, type Output, Visit } from "../../../page.ts"
import { inPlace } from "../../parts/actions.ts"
import { tableCard } from "../../parts/table.ts"
import { nothing, time, words } from "../../parts/values.ts"
import { askedId, type ConsoleView, type Template } from "../../screen.ts"
import { backToUser } from "./subject.ts"

/** The applications that the user has allowed. */
export const consentsCard: Template<Output<"adminUsersConsents">> = (view, { grants }) => {
  const { t } = view.texts
  return tableCard(t("account.applications"), {
    columns: [
      { label: t("console.user.application"), cell: ({ client }) => named(client.client_name ?? client.client_id) },
      {
        label: t("console.user.scopes"),
        cell: ({ scopes }) => (scopes.length === 0 ? nothing : words(scopes)),
      },
      { label: t("console.user.since"), cell: ({ granted_at }) => time(view, granted_at) },
      { label: t("console.actions"), cell: ({ client }) => (view.may("users:update") ? revokeForm(view, client.client_id) : null) },
    ],
    rows: grants,
    empty: t("console.user.consents.none"),
  })
}

const revokeForm = (view: ConsoleView, client_id: string) => {
  const { t } = view.texts
  const label = t("account.applications.revoke")
  return inPlace(
    view,
    label,
    [],
    html`<p>${t("console.user.consents.revoke.about")}</p>`,
    form(view, { action: "revoke_consent", submit: label, look: "small danger", hidden: { client_id } }),
  )
}

export const consentActions = {
  revoke_consent: Effect.gen(function* () {
    const { call, form } = yield* Visit
    yield* call("adminUsersRevokeConsent", { user_id: yield* askedId, client_id: field(form, "client_id") })
    return yield* backToUser("account.applications.revoked")
  }),
}
