import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { type Input, type Output, Visit } from "../../../page.ts"
import { body, editing } from "../../parts/body.ts"
import { requireSame, versionOf } from "../../parts/version.ts"
import { goTo, Operator, type Screen, type Template } from "../../screen.ts"
import { showSecret } from "../../secret.ts"
import { type Client, nameOf, shownClient } from "./client.ts"
import { changedMembers, clientForm, enteredMembers, usual } from "./form.ts"

/** The form of a new client. */
export const newTemplate: Template<null> = (view) => {
  const { t } = view.texts
  const parent = { href: view.at("/clients"), label: t("console.clients") }
  return body(view, { title: t("console.client.new"), parent }, html`<div class="card">${clientForm(view, usual)}</div>`)
}

/** The form of a stored client. */
export const editTemplate: Template<Client> = (view, client) => {
  const parent = { href: view.at("/client", { id: client.client_id }), label: nameOf(client) }
  return body(
    view,
    { ...editing(view, nameOf(client)), parent },
    html`<div class="card">${clientForm(view, client, versionOf(client))}</div>`,
  )
}

/** Shows the client, with its secret if it got one. */
const toClient = Effect.fnUntraced(function* toClient(
  { client: { client_id: id }, client_secret }: Output<"adminClientsCreate">,
  notice: "console.client.created" | "account.saved",
) {
  if (client_secret === null) return yield* goTo("/client", notice, { id })
  return yield* showSecret(client_secret, "/client", "console.secret.rotated", { id })
})

export const newClient: Screen = {
  path: "/clients/new",
  permission: "clients:write",
  needs: ["adminClientsCreate"],
  section: "/clients",
  show: Effect.map(Operator, ({ view }) => ({ title: view.texts.t("console.client.new"), main: newTemplate(view, null) })),
  actions: {
    save: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const metadata = enteredMembers(form) as Input<"adminClientsCreate">
      return yield* toClient(yield* call("adminClientsCreate", metadata), "console.client.created")
    }),
  },
}

export const editClient: Screen = {
  path: "/client/edit",
  permission: "clients:write",
  needs: ["adminClientsShow", "adminClientsUpdate"],
  section: "/clients",
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const client = yield* shownClient
    return { title: view.texts.t("console.edit.at", { name: nameOf(client) }), main: editTemplate(view, client) }
  }),
  actions: {
    save: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const client = yield* shownClient
      yield* requireSame(client)
      const changes = changedMembers(form, client) as Input<"adminClientsUpdate">["changes"]
      return yield* toClient(yield* call("adminClientsUpdate", { client_id: client.client_id, changes }), "account.saved")
    }),
  },
}
