import { DateTime, Effect, Schema } from "effect"
import { CurrentSession, Endpoint, Module, Paging, put, remove, Store, Table, Users } from "sallyport/module"
import {
  type ConsoleView,
  call,
  consoleBody,
  consolePage,
  consolePaging,
  field,
  form,
  html,
  Operator,
  table,
  text,
  time,
  toScreen,
  userLink,
  Visit,
} from "sallyport/pages"

// Feedback of users, which administrators read in the console. `extensions: [feedback]` in a configuration file (.ts) enables it.

const Row = Schema.Struct({ user_id: Schema.String, text: Schema.String, sent_at: Schema.DateTimeUtc }).annotate({
  identifier: "Feedback",
})
/** The latest feedback of each user. */
export const Feedback = Table.make("feedback", Row, {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["text", "sent_at"], other: ["user_id"] },
})

const send = Endpoint.make({
  method: "POST",
  path: "/feedback",
  summary: "Stores feedback of the caller, in place of an earlier one.",
  access: "session",
  input: Schema.Struct({ text: Schema.NonEmptyString.check(Schema.isMaxLength(2000)) }),
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* feedbackSend({ text }) {
    const { id: user_id } = (yield* CurrentSession).user
    yield* Effect.orDie((yield* Store).commit([put(Feedback, { user_id, text, sent_at: yield* DateTime.now })]))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})
const list = Endpoint.make({
  method: "GET",
  path: "/admin/feedback/list",
  summary: "The feedback of all users.",
  access: { permission: "users:read" },
  input: Schema.Struct(Paging.PageInput),
  output: Schema.Struct({ feedback: Schema.Array(Row), ...Paging.NextPage }),
  handler: Effect.fnUntraced(function* feedbackList(request) {
    const { rows, rest } = yield* Paging.page(Feedback, {}, request)
    return Endpoint.reply({ feedback: rows, ...rest })
  }),
})
const done = Endpoint.make({
  method: "POST",
  path: "/admin/feedback/done",
  summary: "Removes the feedback of a user.",
  access: { permission: "users:update" },
  input: Schema.Struct({ user_id: Schema.String }),
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* feedbackDone({ user_id }) {
    yield* Effect.orDie((yield* Store).commit([remove(Feedback, user_id)]))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

export const english = {
  "feedback.title": "Feedback",
  "feedback.user": "User",
  "feedback.sent": "Sent",
  "feedback.action": "Action",
  "feedback.none": "There is no feedback.",
  "feedback.done": "Done",
  "feedback.removed": "The feedback was removed.",
}

const path = "/feedback"

interface Props {
  readonly feedback: ReadonlyArray<{ readonly user_id: string; readonly text: string; readonly sent_at: string }>
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** The page as a function of what it shows, so that tests render every state of it. */
export const template = (view: ConsoleView, { feedback, query, next }: Props) => {
  const shown = table({
    caption: text(view, "feedback.title"),
    columns: [
      { label: text(view, "feedback.title"), cell: (each) => html`<bdi>${each.text}</bdi>` },
      { label: text(view, "feedback.user"), cell: ({ user_id }) => userLink(view, user_id) },
      { label: text(view, "feedback.sent"), cell: ({ sent_at }) => time(view, sent_at) },
      {
        label: text(view, "feedback.action"),
        cell: ({ user_id }) =>
          view.may("users:update")
            ? form(view, { action: "done", submit: text(view, "feedback.done"), look: "small secondary", hidden: { user_id } })
            : null,
      },
    ],
    rows: feedback,
    empty: text(view, "feedback.none"),
  })
  const more = consolePaging(view, path, query, next)
  return consoleBody(view, { title: text(view, "feedback.title") }, html`<div class="card">${shown}${more}</div>`)
}

const screen = consolePage({
  uses: [done],
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const cursor = (yield* Visit).query.get("cursor")
    const query = cursor === null ? {} : { cursor }
    const { feedback, next_cursor: next = null } = yield* call(list, { limit: 50, ...query })
    return { title: text(view, "feedback.title"), main: template(view, { feedback, query, next }) }
  }),
  actions: {
    done: Effect.gen(function* () {
      yield* call(done, { user_id: field((yield* Visit).form, "user_id") })
      return yield* toScreen(path, "feedback.removed")
    }),
  },
})

export const feedback = Module.define({
  name: "feedback",
  settings: Module.NoSettings,
  texts: async (tag) => (tag === "en" ? english : {}),
  parts: () => ({
    tables: [Feedback],
    endpoints: [send, list, done],
    console: [{ path, label: "feedback.title", needs: [list], page: screen }],
  }),
})
