import { DateTime, Effect, Schema } from "effect"
import { CurrentSession, Endpoint, GraphField, insert, Module, newId, orElse, Paging, Seconds, Store, Table, Users } from "sallyport/module"

// A user's log of opened sessions and failed sign-ins. `extensions: [signInLog]` in a configuration file (.ts) turns it on.

const Entry = Schema.Struct({
  /** For an opened session, the id of the session. */
  id: Schema.String,
  at: Schema.DateTimeUtc,
  endpoint: Schema.String,
  /** How the user authenticated, or the error code of the failed sign-in. */
  outcome: Schema.String,
  ip_address: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
}).annotate({ identifier: "SignInLogEntry" })

const Row = Schema.Struct({ ...Entry.fields, user_id: Schema.NullOr(Schema.String), expires_at: Schema.DateTimeUtc })
const data = { personal: ["at", "endpoint", "outcome", "ip_address", "user_agent"], other: ["id", "user_id", "expires_at"] } as const
const references = { user_id: Users }
export const SignIns = Table.make("sign_in_log", Row, { key: "id", references, expires: "expires_at", isLog: true, data })
const entry = (seconds: number, row: Omit<typeof Row.Type, "expires_at">) =>
  insert(SignIns, { ...row, expires_at: DateTime.add(row.at, { seconds }) })

const list = Endpoint.make({
  method: "GET",
  path: "/sign-in-log",
  summary: "The caller's opened sessions and failed sign-ins, the newest first.",
  access: "session",
  input: Schema.Struct(Paging.PageInput),
  output: Schema.Struct({ entries: Schema.Array(Entry), ...Paging.NextPage }),
  handler: Effect.fnUntraced(function* signInLogList(options) {
    const { rows, rest } = yield* Paging.page(SignIns, { user_id: (yield* CurrentSession).user.id }, options, true)
    return Endpoint.reply({ entries: rows, ...rest })
  }),
})

const ofViewer = GraphField.paged({
  on: "viewer",
  name: "signInLog",
  summary: "The viewer's opened sessions and failed sign-ins, the newest first.",
  output: Entry,
  place: ["id"],
  load: (viewers, options) => {
    const ids = viewers.map(({ user }) => user.id)
    return Paging.pageForEach(SignIns, "user_id", ids, { ...options, descending: true })
  },
})

const attempts: ReadonlyArray<unknown> = ["single_factor", "multi_factor", "federated", "challenge"]
const unlogged = ["ok", "invalid_request", "rate_limited", "overloaded"] // Refused before a credential was checked.

export const signInLog = Module.define({
  name: "sign_in_log",
  settings: Schema.Struct({ expires_in: Seconds.pipe(orElse(2_592_000)) }),
  parts: ({ expires_in }) => ({
    tables: [SignIns],
    endpoints: [list],
    graphFields: [ofViewer],
    sessionOpened: ({ session: { id, user_id, created_at: at, ip_address, user_agent }, proof: outcome, began: { path: endpoint } }) =>
      Effect.succeed({ writes: [entry(expires_in, { id, at, endpoint, outcome, ip_address, user_agent, user_id })] }),
    observe: Effect.fnUntraced(function* signInLogObserve({ endpoint, code: outcome, caller, subject: { user_id } }) {
      if (unlogged.includes(outcome) || !attempts.includes(endpoint.signsIn)) return
      const [id, at] = [yield* newId, yield* DateTime.now]
      const { ip_address, user_agent } = caller
      const row = { id, at, endpoint: endpoint.path, outcome, ip_address, user_agent, user_id }
      // An attempt without a user is stored too, so that the response takes as long; its row expires at once.
      yield* (yield* Store).commit([entry(user_id === null ? 0 : expires_in, row)])
    }),
  }),
})
