import { DateTime, Effect, Schema } from "effect"
import {
  CurrentSession,
  check,
  Endpoint,
  Errors,
  GraphField,
  type Happening,
  insert,
  Module,
  newId,
  orElse,
  Positive,
  rereadSession,
  retryOnConflict,
  rowEvents,
  Store,
  Table,
  Users,
} from "sallyport/module"

// A module in one file: notes of users. `extensions: [notes]` in a configuration file (.ts) enables it.

const Note = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  text: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "Note" })

/** The notes of a user are deleted with the user, and listed by user in the order of creation. */
export const Notes = Table.make("note", Note, {
  key: "id",
  indexed: [["user_id", "created_at"]],
  references: { user_id: Users },
  data: { personal: ["text", "created_at"], other: ["id", "user_id"] },
})

const NoteTooLong = Errors.define("note_too_long", 422, "The note is too long.", { remedy: "Shorten the note to `max_length`." })

const types = { "note.added": { summary: "A user added a note.", isChange: false } } as const

/** The audit log and webhooks have the events of notes, by their ids: a text of a user is personal data. */
const noteEvents = rowEvents(Notes, ({ before, after }): ReadonlyArray<Happening<keyof typeof types>> => {
  if (before !== null || after === null) return []
  return [{ type: "note.added", subject: { kind: "user", id: after.user_id }, data: { note: after.id } }]
})

const Settings = Schema.Struct({
  /** The length of a note, in UTF-16 code units. */
  max_length: Positive.pipe(orElse(200)),
})

const add = ({ max_length }: typeof Settings.Type) =>
  Endpoint.make({
    method: "POST",
    path: "/notes/add",
    summary: "Stores a note.",
    access: "session",
    input: Schema.Struct({ text: Schema.String }),
    output: Schema.Struct({ note: Note }),
    errors: [NoteTooLong],
    handler: Effect.fnUntraced(function* notesAdd({ text }) {
      if (text.length > max_length) return yield* new NoteTooLong()
      const id = yield* newId
      const created_at = yield* DateTime.now
      const keep = Effect.gen(function* () {
        const { user } = yield* rereadSession
        const note = { id, user_id: user.row.id, text, created_at }
        yield* (yield* Store).commit([check(Users, user), insert(Notes, note)])
        return note
      })
      return Endpoint.reply({ note: yield* retryOnConflict(keep) })
    }),
  })

const latest = Effect.fnUntraced(function* latest(user_id: string) {
  return yield* (yield* Store).list(Notes, { user_id }, { limit: 100, order: "created_at", descending: true })
})

const list = Endpoint.make({
  method: "GET",
  path: "/notes/list",
  summary: "Lists the caller's latest notes, the newest first.",
  access: "session",
  input: Endpoint.NoInput,
  output: Schema.Struct({ notes: Schema.Array(Note) }),
  handler: Effect.fnUntraced(function* notesList() {
    return Endpoint.reply({ notes: yield* latest((yield* CurrentSession).user.id) })
  }),
})

const ofViewer = GraphField.make({
  on: "viewer",
  name: "notes",
  summary: "The viewer's latest notes, the newest first.",
  output: Schema.Array(Note),
  load: (viewers) => Effect.forEach(viewers, ({ user }) => latest(user.id)),
})

export const notes = Module.define({
  name: "notes",
  errors: [NoteTooLong],
  events: types,
  texts: async (language) => ({ "error.note_too_long": language === "de" ? "Die Notiz ist zu lang." : "The note is too long." }),
  settings: Settings,
  parts: (settings) => ({
    tables: [Notes],
    endpoints: [add(settings), list],
    graphFields: [ofViewer],
    rowEvents: [noteEvents],
  }),
})
