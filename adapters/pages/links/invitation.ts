import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../components/direction.ts"
import { button, card, form } from "../components/form.ts"
import { named, roleName } from "../components/names.ts"
import { time } from "../components/time.ts"
import type { Flow } from "../flow.ts"
import { type Output, page, Visit } from "../page.ts"
import { signedInUser } from "../sign-in/complete.ts"
import { askedBy } from "../sign-in/sign-up.ts"
import { opensAccounts } from "../site.ts"
import type { Template, View } from "../view.ts"
import { join, newcomerTemplate } from "./invited-newcomer.ts"
import { maxLength, takeFromAddress } from "./mailed-link.ts"

type Organization = Output<"organizationList">["organizations"][number]
type Invitation = Output<"organizationShowInvitation">["invitation"]

const address = (email: string) => html`<strong>${leftToRight(email)}</strong>`

const path = "/accept-invitation"

/** The member who invites, by name and verified address, or the kind of sender. */
const senderName = ({ texts: { t }, branding }: View, { kind, name, email }: Invitation["invited_by"]) => {
  if (kind === "administrator") return t("invitation.sender.administrator", { service: branding.name })
  if (kind === "program") return t("invitation.sender.program")
  const shown = name === null ? t("invitation.sender.unnamed") : named(name)
  return email === null ? shown : html`${shown} (${leftToRight(email)})`
}

/** Which organization invites to which role, by which sender, for which address and until when. */
export const offer: Template<Invitation> = (view, { organization, invited_by, email, role, expires_at }) => {
  const { rich } = view.texts
  const sender = senderName(view, invited_by)
  const sentence =
    organization === null
      ? rich("invitation.offer.unnamed", { sender })
      : rich("invitation.offer", { sender, organization: html`<strong>${named(organization)}</strong>` })
  const terms = rich("invitation.terms", { role: roleName(view, role), address: address(email), date: time(view, expires_at) })
  return html`<p>${sentence}</p><p>${terms}</p>`
}

interface Offered {
  readonly invitation: Invitation
}

/** The page of an invitation for visitors without a session. */
export const strangerTemplate: Template<Offered & { readonly signUp: boolean }> = (view, { invitation, signUp }) => {
  const { t } = view.texts
  const query = { login_hint: invitation.email }
  return card(
    view,
    t("invitation.title"),
    html`${offer(view, invitation)}<p>${t("invitation.sign_in_first")}</p>
<div class="stack"><a class="button" href="${view.href("/sign-in", query)}">${t("sign_in.submit")}</a>
${signUp ? html`<a class="button secondary" href="${view.href("/sign-up", query)}">${t("sign_in.sign_up")}</a>` : null}</div>`,
  )
}

/** The page of an invitation for a user who is signed in with another address. */
export const otherTemplate: Template<Offered & { readonly email: string }> = (view, { invitation, email }) => {
  const { t, rich } = view.texts
  const text = rich("invitation.other_account", { address: address(invitation.email), user: address(email) })
  const another = { another: "yes" }
  const href = invitation.can_sign_up ? view.href(path, another) : view.href("/sign-in", { ...another, login_hint: invitation.email })
  return card(
    view,
    t("invitation.title"),
    html`${offer(view, invitation)}<p>${text}</p><a class="button" href="${href}">${t("signed_in.other")}</a>`,
  )
}

/** The page of an invitation for the user whom it invites. */
export const template: Template<Offered> = (view, { invitation }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("invitation.title"),
    html`${offer(view, invitation)}<p>${rich("invitation.text", { user: address(invitation.email) })}</p>
${form(view, { action: "accept", submit: t("invitation.accept"), more: button(t("invitation.reject"), "reject") })}
<p class="after"><a href="${view.href("/sign-in", { another: "yes" })}">${t("signed_in.other")}</a></p>`,
  )
}

/** The page without an invitation, or with one that is no longer open. */
export const closedTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("invitation.closed.title"), html`<p>${t("invitation.closed.text")}</p>${toAccount(view)}`)
}

/** The page after an invitation was accepted, with the organization if it is among the first of the user's. */
export const acceptedTemplate: Template<{ readonly organization: Pick<Organization, "id" | "name"> | null }> = (view, { organization }) => {
  const { t, rich } = view.texts
  const text =
    organization === null
      ? t("invitation.accepted.text")
      : rich("invitation.accepted.member", { organization: html`<strong>${named(organization.name)}</strong>` })
  const href = organization === null ? view.href("/account") : view.href("/account/organization", { id: organization.id })
  return card(view, t("invitation.accepted.title"), html`<p>${text}</p><a class="button" href="${href}">${t("continue.button")}</a>`)
}

/** The page after an invitation was declined. */
export const rejectedTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("invitation.rejected.title"), html`<p>${t("invitation.rejected.text")}</p>${toAccount(view)}`)
}

const toAccount = (view: View) => html`<a class="button secondary" href="${view.href("/account")}">${view.texts.t("continue.button")}</a>`

const show = Effect.gen(function* () {
  const taken = yield* takeFromAddress(path, "invitation_id", (invitation, others) => ({
    invitation,
    invitation_token: others.get("token")?.slice(0, maxLength),
  }))
  if (taken !== null) return taken
  const { view, flow, setFlow, query, site } = yield* Visit
  const { t } = view.texts
  if (query.has("rejected")) return { title: t("invitation.rejected.title"), main: rejectedTemplate(view, null) }
  if (query.has("accepted")) return yield* accepted(query.get("accepted") ?? "")
  const invitation = yield* offered(flow())
  if (invitation === null) return { title: t("invitation.closed.title"), main: closedTemplate(view, null) }
  const user = yield* signedInUser
  const title = t("invitation.title")
  if (user?.email === invitation.email) return { title, main: template(view, { invitation }) }
  setFlow({ return_to: view.href(path) })
  if (user !== null && !(invitation.can_sign_up && query.has("another")))
    return { title, main: otherTemplate(view, { invitation, email: user.email }) }
  if (invitation.can_sign_up) {
    const props = { offer: offer(view, invitation), email: invitation.email, ...askedBy(site) }
    return { title, main: newcomerTemplate(view, props) }
  }
  return { title, main: strangerTemplate(view, { invitation, signUp: opensAccounts(site) }) }
})

type Kept = Pick<Flow, "invitation" | "invitation_token">

const withToken = ({ invitation_token: token }: Kept) => (token === undefined ? {} : { token })

/** The open invitation of the flow; null without one. */
const offered = Effect.fnUntraced(function* offered(kept: Kept) {
  if (kept.invitation === undefined) return null
  const { call } = yield* Visit
  const shown = call("organizationShowInvitation", { invitation_id: kept.invitation, ...withToken(kept) })
  return yield* shown.pipe(
    Effect.map(({ invitation }): Invitation | null => invitation),
    Effect.catchTag("invalid_invitation", () => Effect.succeed(null)),
  )
})

/** Only members read the name, so an id of another organization in the address shows nothing. */
const accepted = Effect.fnUntraced(function* accepted(id: string) {
  const { view, call } = yield* Visit
  const { organizations } = yield* call("organizationList")
  const organization = organizations.find((each) => each.id === id) ?? null
  return { title: view.texts.t("invitation.accepted.title"), main: acceptedTemplate(view, { organization }) }
})

const forgotten = { invitation: undefined, invitation_token: undefined, return_to: undefined }

/** Answers the invitation. One that is no longer open leaves the flow. */
const answer = (endpoint: "organizationAcceptInvitation" | "organizationRejectInvitation") =>
  Effect.gen(function* () {
    const { call, flow, setFlow, view } = yield* Visit
    const { invitation: invitation_id = "" } = flow()
    const proof = endpoint === "organizationAcceptInvitation" ? withToken(flow()) : {}
    const body = yield* call(endpoint, { invitation_id, ...proof })
    setFlow(forgotten)
    const organization = "member" in body ? body.member.organization_id : undefined
    return { to: view.href(path, organization === undefined ? { rejected: "yes" } : { accepted: organization }) }
  }).pipe(
    Effect.catchTag("invalid_invitation", () =>
      Effect.map(Visit, ({ setFlow, view }) => {
        setFlow(forgotten)
        return { to: view.href(path) }
      }),
    ),
  )

export const invitation = page({
  path,
  needs: [
    "organizationShowInvitation",
    "organizationAcceptInvitation",
    "organizationAcceptInvitationSignUp",
    "organizationRejectInvitation",
    "organizationList",
  ],
  access: "public",
  problems: { forbidden: "invitation.forbidden" },
  show,
  actions: { accept: answer("organizationAcceptInvitation"), reject: answer("organizationRejectInvitation"), join },
})
