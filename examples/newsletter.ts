import { Effect, Option, Schema } from "effect"
import { CurrentSession, Endpoint, find, Module, put, remove, Store, Table, Users } from "sallyport/module"
import { accountPage, call, form, framed, html, page, plainCard, text, Visit } from "sallyport/pages"

// A section of the account, in which users subscribe to a newsletter. `extensions: [newsletter]` in a configuration file (.ts) enables it.

const Row = Schema.Struct({ user_id: Schema.String })
export const Subscribers = Table.make("newsletter_subscriber", Row, {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["user_id"] },
})

const State = Schema.Struct({ subscribed: Schema.Boolean })

const shown = Endpoint.make({
  method: "GET",
  path: "/newsletter",
  summary: "Whether the caller gets the newsletter.",
  access: "session",
  input: Endpoint.NoInput,
  output: State,
  handler: Effect.fnUntraced(function* newsletter() {
    return Endpoint.reply({ subscribed: Option.isSome(yield* find(Subscribers, { user_id: (yield* CurrentSession).user.id })) })
  }),
})
const set = Endpoint.make({
  method: "POST",
  path: "/newsletter/set",
  summary: "Begins or ends the caller's subscription.",
  access: "session",
  input: State,
  output: State,
  handler: Effect.fnUntraced(function* newsletterSet({ subscribed }) {
    const { id: user_id } = (yield* CurrentSession).user
    yield* Effect.orDie((yield* Store).commit([subscribed ? put(Subscribers, { user_id }) : remove(Subscribers, user_id)]))
    return Endpoint.reply({ subscribed })
  }),
})

const english = {
  "newsletter.title": "Newsletter",
  "newsletter.on": "You get our newsletter once a month.",
  "newsletter.off": "You do not get our newsletter.",
  "newsletter.begin": "Subscribe",
  "newsletter.end": "Unsubscribe",
}

const path = "/account/newsletter"
const change = (subscribed: boolean) =>
  Effect.map(Effect.andThen(call(set, { subscribed }), Visit), ({ view }) => ({ to: view.href(path) }))
const section = page({
  path,
  endpoints: [shown, set],
  access: "session",
  section: "newsletter.title",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    const { subscribed } = yield* call(shown, {})
    const button = form(
      view,
      subscribed
        ? { action: "end", submit: text(view, "newsletter.end"), look: "secondary" }
        : { action: "begin", submit: text(view, "newsletter.begin") },
    )
    const card = plainCard(html`<p>${text(view, subscribed ? "newsletter.on" : "newsletter.off")}</p>${button}`)
    return yield* accountPage(path, text(view, "newsletter.title"), framed(view, { title: text(view, "newsletter.title") }, card))
  }),
  actions: { begin: change(true), end: change(false) },
})

export const newsletter = Module.define({
  name: "newsletter",
  settings: Module.NoSettings,
  texts: async (tag) => (tag === "en" ? english : {}),
  parts: () => ({ tables: [Subscribers], endpoints: [shown, set], pages: [section] }),
})
