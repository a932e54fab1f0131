import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../components/direction.ts"
import { button, card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import { signedInUser } from "../sign-in/complete.ts"
import { opensAccounts } from "../site.ts"
import type { Template } from "../view.ts"
import { takeFromAddress } from "./mailed-link.ts"

/** The page of an invitation for visitors without a session. The service names the organization only to its members and in the mail. */
export const strangerTemplate: Template<{ readonly signUp: boolean }> = (view, { signUp }) => {
  const { t } = view.texts
  return card(
    view,
    t("invitation.title"),
    html`<p>${t("invitation.sign_in_first")}</p>
<div class="stack"><a class="button" href="${view.href("/sign-in")}">${t("sign_in.submit")}</a>
${signUp ? html`<a class="button secondary" href="${view.href("/sign-up")}">${t("sign_in.sign_up")}</a>` : null}</div>`,
  )
}

/** The page of an invitation for the user who is signed in. */
export const template: Template<{ readonly email: string }> = (view, { email }) => {
  const { t, rich } = view.texts
  const user = html`<strong>${leftToRight(email)}</strong>`
  return card(
    view,
    t("invitation.title"),
    html`<p>${rich("invitation.text", { user })}</p>
${form(view, { action: "accept", submit: t("invitation.accept"), more: button(t("invitation.reject"), "reject") })}
<p class="after"><a href="${view.href("/sign-in", { another: "yes" })}">${t("signed_in.other")}</a></p>`,
  )
}

/** The page without an invitation, or with one that is no longer open. */
export const closedTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("invitation.closed.title"), html`<p>${t("invitation.closed.text")}</p>${toAccount(view)}`)
}

/** The page after an invitation was accepted, with the name of the organization if it is among the first of the user's. */
export const acceptedTemplate: Template<{ readonly organization: string | null }> = (view, { organization }) => {
  const { t, rich } = view.texts
  const text =
    organization === null
      ? t("invitation.accepted.text")
      : rich("invitation.accepted.member", { organization: html`<strong><bdi>${organization}</bdi></strong>` })
  return card(view, t("invitation.accepted.title"), html`<p>${text}</p>${toAccount(view, "button")}`)
}

/** The page after an invitation was declined. */
export const rejectedTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("invitation.rejected.title"), html`<p>${t("invitation.rejected.text")}</p>${toAccount(view)}`)
}

const toAccount = (view: Parameters<typeof closedTemplate>[0], look: "button" | "button secondary" = "button secondary") =>
  html`<a class="${look}" href="${view.href("/account")}">${view.texts.t("continue.button")}</a>`

const path = "/accept-invitation"

const show = Effect.gen(function* () {
  const taken = yield* takeFromAddress(path, "invitation_id", (invitation) => ({ invitation }))
  if (taken !== null) return taken
  const { view, flow, setFlow, query, site } = yield* Visit
  const { t } = view.texts
  if (query.has("rejected")) return { title: t("invitation.rejected.title"), main: rejectedTemplate(view, null) }
  if (query.has("accepted")) return yield* accepted(query.get("accepted") ?? "")
  if (flow().invitation === undefined) return { title: t("invitation.closed.title"), main: closedTemplate(view, null) }
  const user = yield* signedInUser
  const title = t("invitation.title")
  if (user !== null) return { title, main: template(view, { email: user.email }) }
  setFlow({ return_to: view.href(path) })
  return { title, main: strangerTemplate(view, { signUp: opensAccounts(site) }) }
})

/** Only members read the name, so an id of another organization in the address shows nothing. */
const accepted = Effect.fnUntraced(function* accepted(id: string) {
  const { view, call } = yield* Visit
  const { organizations } = yield* call("organizationList")
  const organization = organizations.find((each) => each.id === id)?.name ?? null
  return { title: view.texts.t("invitation.accepted.title"), main: acceptedTemplate(view, { organization }) }
})

/** Answers the invitation. One that is no longer open leaves the flow. */
const answer = (endpoint: "organizationAcceptInvitation" | "organizationRejectInvitation") =>
  Effect.gen(function* () {
    const { call, flow, setFlow, view } = yield* Visit
    const { invitation: invitation_id = "" } = flow()
    const body = yield* call(endpoint, { invitation_id })
    setFlow({ invitation: undefined, return_to: undefined })
    const organization = "member" in body ? body.member.organization_id : undefined
    return { to: view.href(path, organization === undefined ? { rejected: "yes" } : { accepted: organization }) }
  }).pipe(
    Effect.catchTag("invalid_invitation", () =>
      Effect.map(Visit, ({ setFlow, view }) => {
        setFlow({ invitation: undefined, return_to: undefined })
        return { to: view.href(path) }
      }),
    ),
  )

export const invitation = page({
  path,
  needs: ["organizationAcceptInvitation", "organizationRejectInvitation", "organizationList"],
  access: "public",
  problems: { forbidden: "invitation.forbidden" },
  show,
  actions: { accept: answer("organizationAcceptInvitation"), reject: answer("organizationRejectInvitation") },
})
