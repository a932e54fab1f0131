import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { linkButton } from "../../account/parts.ts"
import { form } from "../../components/form.ts"
import { field, type Input, type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { actions } from "../parts/actions.ts"
import { body } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn, results } from "../parts/filters.ts"
import { paging, table } from "../parts/table.ts"
import { badge, code, id, nothing, time, twoLines } from "../parts/values.ts"
import { askedId, type ConsoleView, calling, goTo, Operator, type Screen, type Template } from "../screen.ts"

type Message = Output<"adminOutboxList">["messages"][number]

interface Props {
  readonly messages: ReadonlyArray<Message>
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** Messages that wait or were given up, without their recipients and texts. */
export const template: Template<Props> = (view, { messages, query, next }) => {
  const { t } = view.texts
  const options = [
    ["waiting", t("console.delivery.waiting")],
    ["dead", t("console.delivery.dead")],
  ] as const
  return body(
    view,
    { title: t("console.outbox") },
    filters(view, "/outbox", choiceFilter(view, { name: "state", label: t("console.users.state"), options }, query["state"] ?? "")),
    results(
      table({
        caption: t("console.outbox"),
        columns: [
          {
            label: t("console.outbox.message"),
            cell: (message) => twoLines(kind(view, message), id(message.id)),
          },
          { label: t("console.users.state"), cell: ({ state }) => deliveryState(view, state) },
          { label: t("console.delivery.attempts"), cell: ({ attempts }) => String(attempts) },
          { label: t("console.delivery.error"), cell: ({ last_code }) => html`<span class="word">${last_code ?? nothing}</span>` },
          { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
          { label: t("console.delivery.due"), cell: ({ due_at }) => time(view, due_at) },
          { label: t("console.actions"), cell: (message) => actionsOf(view, message) },
        ],
        rows: messages,
        empty: t("console.outbox.none"),
      }),
      paging(view, "/outbox", query, next),
    ),
  )
}

const kind = ({ texts: { t } }: ConsoleView, message: Message) => {
  if (message.kind === "mail") return t("console.outbox.mail")
  if (message.kind === "sms") return t("console.outbox.sms")
  return code(message.kind ?? nothing)
}

/** Whether another attempt follows. */
export const deliveryState = ({ texts: { t } }: ConsoleView, state: "waiting" | "dead") =>
  state === "waiting" ? badge("waiting", t("console.delivery.waiting")) : badge("failed", t("console.delivery.dead"))

const actionsOf = (view: ConsoleView, { id }: Message) => {
  if (!view.may("outbox:retry")) return null
  const { t } = view.texts
  return actions(
    form(view, { action: "retry", submit: t("console.outbox.retry"), look: "small secondary", hidden: { message_id: id } }),
    linkButton(view.at("/outbox/discard", { id }), t("console.outbox.discard"), "danger"),
  )
}

export const outbox: Screen = {
  path: "/outbox",
  permission: "outbox:read",
  needs: ["adminOutboxList"],
  uses: ["adminOutboxRetry"],
  section: { label: "console.outbox", group: "activity", key: "m" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["state"])
    const found = yield* call("adminOutboxList", { limit: 50, ...chosen } as Input<"adminOutboxList">)
    const main = template(view, { messages: found.messages, query: chosen, next: found.next_cursor ?? null })
    return { title: view.texts.t("console.outbox"), main }
  }),
  actions: {
    retry: Effect.gen(function* () {
      const { call, form, query } = yield* Visit
      yield* call("adminOutboxRetry", { message_id: field(form, "message_id") })
      return yield* goTo("/outbox", "console.outbox.retried", filtersIn(query, ["state"]))
    }),
  },
}

export const discardMessage = confirmation({
  path: "/outbox/discard",
  permission: "outbox:retry",
  section: "/outbox",
  needs: ["adminOutboxList", "adminOutboxDiscard"],
  title: "console.outbox.discard",
  text: "console.outbox.discard.text",
  subject: Effect.gen(function* () {
    const { t } = (yield* Operator).view.texts
    const message_id = yield* askedId
    return { id: message_id, name: message_id, about: [[t("console.id"), id(message_id)]], page: ["/outbox"] } satisfies Subject
  }),
  run: ({ id: message_id }) => calling("console.outbox.discarded", "adminOutboxDiscard", { message_id }),
})
