import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { PasskeyNotFound } from "../../../application/modules/passkey/errors.ts"
import type { Passkey } from "../../../client/operations.ts"
import { inputField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { field, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, section } from "./frame.ts"
import { confirmation } from "./parts.ts"
import { passkeyDates } from "./security.ts"

/** One passkey: its name, and its removal. */
export const template: Template<Pick<Passkey, "name" | "created_at" | "last_used_at" | "authenticator">> = (view, passkey) => {
  const { t } = view.texts
  const name = inputField(view, {
    name: "name",
    label: t("account.passkey.name"),
    value: passkey.name ?? "",
    attributes: { autocomplete: "off", maxlength: "100", enterkeyhint: "done", dir: "auto" },
  })
  const removal = form(view, { action: "remove", submit: t("account.passkey.remove.submit"), look: "small danger" })
  return framed(
    view,
    { title: t("account.passkey.title"), parent: "security" },
    plainCard(
      html`<p class="muted">${passkeyDates(view, passkey)}</p>`,
      form(view, { action: "rename", submit: t("account.save"), look: "small", body: name }),
    ),
    section(t("account.passkey.remove"), confirmation(t("account.passkey.remove"), t("account.passkey.remove.about"), removal)),
  )
}

const id = Effect.map(Visit, ({ query }) => query.get("id") ?? "")

const rename = Effect.gen(function* () {
  const { call, form } = yield* Visit
  yield* call("passkeyRename", { passkey_id: yield* id, name: field(form, "name").trim() })
  return yield* goTo("/account/security", "account.passkey.renamed")
})

const remove = Effect.gen(function* () {
  const { call } = yield* Visit
  yield* call("passkeyDelete", { passkey_id: yield* id })
  return yield* goTo("/account/security", "account.passkey.removed")
})

export const passkey = accountPage({
  path: "/account/passkey",
  needs: ["passkeyList", "passkeyRename", "passkeyDelete"],
  show: Effect.gen(function* () {
    const { view, call } = yield* Visit
    const wanted = yield* id
    const { passkeys } = yield* call("passkeyList")
    const passkey = passkeys.find((each) => each.id === wanted)
    if (passkey === undefined) return yield* new PasskeyNotFound()
    return yield* inSection("security", view.texts.t("account.passkey.title"), template(view, passkey))
  }),
  actions: { rename, remove },
})
