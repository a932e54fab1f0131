import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import { accountName } from "../components/fields.ts"
import { card, form } from "../components/form.ts"
import { Visit } from "../page.ts"
import { completeSignIn } from "../sign-in/complete.ts"
import { type Asked, accountFields, enteredAccount, toSignIn } from "../sign-in/sign-up.ts"
import type { Template } from "../view.ts"

interface Props extends Asked {
  /** Which organization invites, and to which role. */
  readonly offer: SafeHtml
  readonly email: string
}

/** The page of an invitation for the reader of its mail who has no account yet. */
export const newcomerTemplate: Template<Props> = (view, { offer, email, ...asked }) => {
  const { t } = view.texts
  const body = accountFields(view, asked, accountName(view, email))
  return card(
    view,
    t("invitation.title"),
    html`${offer}${form(view, { action: "join", submit: t("invitation.join"), body })}${toSignIn(view, { login_hint: email })}`,
  )
}

/** Signs up as a member, and goes on to the organization, by way of what the sign-in requires. */
export const join = Effect.gen(function* () {
  const { call, flow, setFlow, view } = yield* Visit
  const { invitation: invitation_id = "", invitation_token: token = "" } = flow()
  const { invitation } = yield* call("organizationShowInvitation", { invitation_id })
  const body = yield* call("organizationAcceptInvitationSignUp", { invitation_id, token, ...(yield* enteredAccount) })
  const return_to = view.href("/account/organization", { id: invitation.organization_id })
  setFlow({ invitation: undefined, invitation_token: undefined, return_to })
  return yield* completeSignIn(body)
}).pipe(
  Effect.catchTag("invalid_invitation", () =>
    Effect.map(Visit, ({ setFlow, view }) => {
      setFlow({ invitation_token: undefined })
      return { to: view.href("/accept-invitation") }
    }),
  ),
)
