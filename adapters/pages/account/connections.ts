import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { LinkedAccount } from "../../../client/operations.ts"
import { providerNameIn } from "../../texts/provider-name.ts"
import { credentialKindName } from "../components/credential-kinds.ts"
import { leftToRight } from "../components/direction.ts"
import { form } from "../components/form.ts"
import { labelFor } from "../components/names.ts"
import { time } from "../components/time.ts"
import { field, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, section } from "./frame.ts"
import { linkedAccounts } from "./identity.ts"
import { confirmation, list, row } from "./parts.ts"

interface Props {
  /** Their `account_id` is as people read it. */
  readonly accounts: ReadonlyArray<Pick<LinkedAccount, "provider_id" | "account_id" | "created_at">>
  /** The ids of the providers that users can link an account of. */
  readonly providers: ReadonlyArray<string>
}

/** Accounts at providers, phone numbers and wallets. */
export const template: Template<Props> = (view, { accounts, providers }) => {
  const { t } = view.texts
  const kinds = Map.groupBy(accounts, ({ provider_id }) => provider_id)
  const others = providers.filter((id) => !kinds.has(id))
  const links = others.map((provider) => {
    const name = providerNameIn(view.texts, provider)
    const link = form(view, {
      action: "link",
      submit: labelFor(t("account.connections.link"), name),
      look: "small secondary",
      hidden: { provider },
    })
    return row(name, null, link)
  })
  const rows = [...kinds].map(([id, linked]) => linkedRow(view, id, linked))
  return framed(
    view,
    { title: t("account.connections") },
    section(t("account.connections.linked"), list(rows, t("account.connections.none"))),
    links.length === 0 ? null : section(t("account.connections.add"), html`<p>${t("account.connections.about")}</p>`, list(links, "")),
  )
}

/** All accounts of a provider, which are unlinked together. */
const linkedRow = (view: View, provider: string, linked: Props["accounts"]) => {
  const { t, rich } = view.texts
  const name = credentialKindName(view, provider)
  const lines = linked.map(
    ({ account_id, created_at }) =>
      html`<p>${leftToRight(account_id)}<span class="line">${rich("account.connections.since", { date: time(view, created_at) })}</span></p>`,
  )
  const unlink = form(view, {
    action: "unlink",
    submit: t("account.connections.unlink.submit"),
    look: "small danger",
    hidden: { provider },
  })
  const label = labelFor(t("account.connections.unlink"), name)
  return row(name, html`${lines}`, confirmation(label, t("account.connections.unlink.about", { name }), unlink))
}

/** The password and passkeys have their own pages. */
const isElsewhere = ({ provider_id }: LinkedAccount) => provider_id === "credential" || provider_id === "passkey"

const readable = Effect.fnUntraced(function* readable(account: LinkedAccount) {
  const { site } = yield* Visit
  return account.provider_id === "phone" ? { ...account, account_id: yield* site.phoneShown(account.account_id) } : account
})

export const connections = accountPage({
  path: "/account/connections",
  needs: ["listAccounts", "unlinkAccount"],
  uses: ["linkSocial"],
  show: Effect.gen(function* () {
    const { view, site, has } = yield* Visit
    const accounts = yield* Effect.forEach(
      (yield* linkedAccounts).filter((account) => !isElsewhere(account)),
      readable,
    )
    const main = template(view, { accounts, providers: has("linkSocial") ? site.providers : [] })
    return yield* inSection("connections", view.texts.t("account.connections"), main)
  }),
  actions: {
    link: Effect.gen(function* () {
      const { call, form, setFlow, view } = yield* Visit
      const { url } = yield* call("linkSocial", { provider: field(form, "provider") })
      setFlow({ method: undefined, return_to: view.href("/account/connections") })
      return { to: url }
    }),
    unlink: Effect.gen(function* () {
      const { call, form } = yield* Visit
      yield* call("unlinkAccount", { provider_id: field(form, "provider") })
      return yield* goTo("/account/connections", "account.connections.unlinked")
    }),
  },
})
