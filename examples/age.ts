import { DateTime, Effect, Option, Schema } from "effect"
import {
  answerChallenge,
  between,
  Challenges,
  CurrentSession,
  Endpoint,
  Errors,
  find,
  GraphField,
  Module,
  orElse,
  put,
  retryOnConflict,
  Table,
  User,
  Users,
} from "sallyport/module"
import { call, card, completeSignIn, field, form, inputField, orStartAgain, page, startAgain, text, Visit } from "sallyport/pages"

// A module with a challenge: a sign-in gets no session until the user has declared their year of birth once.

const name = "age"

/** One row per user: a second declaration replaces the first. */
export const Births = Table.make("birth", Schema.Struct({ user_id: Schema.String, year: Schema.Int }), {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["year"], other: ["user_id"] },
})

const TooYoung = Errors.define("too_young", 403, "You are too young to use this service.")

const Settings = Schema.Struct({
  /** In years. 0 turns the challenge off. */
  minimum: between(0, 120).pipe(orElse(0)),
})

const hasDeclared = (user_id: string) => Effect.map(find(Births, { user_id }), Option.isSome)

const challenge = Challenges.make({
  of: "every_sign_in",
  output: Schema.Struct({ year_of_birth_required: Schema.Literal(true), ...Challenges.ChallengeFields }).annotate({
    identifier: "AgeChallenge",
  }),
  ask: ({ id }) =>
    Effect.map(hasDeclared(id), (declared) => (declared ? Option.none() : Option.some({ year_of_birth_required: true as const }))),
})

const declare = ({ minimum }: typeof Settings.Type) =>
  Endpoint.make({
    method: "POST",
    path: "/age/declare",
    summary: "Declares the user's year of birth; with the token of a challenged sign-in, completes the sign-in.",
    access: "public",
    signsIn: "challenge",
    input: Schema.Struct({ year: Schema.Int, challenge_token: Schema.optionalKey(Schema.String) }),
    output: Schema.Struct({ user: User }),
    errors: [Errors.InvalidToken, Errors.Unauthorized, TooYoung],
    handler: Effect.fnUntraced(function* ageDeclare({ year, challenge_token }) {
      const { year: now } = DateTime.toPartsUtc(yield* DateTime.now)
      if (now - year < minimum) return yield* new TooYoung()
      const declaration = Effect.gen(function* () {
        const { user, commit } = yield* answerChallenge(challenge_token)
        return [user.row, yield* commit([put(Births, { user_id: user.row.id, year })])] as const
      })
      const [user, session] = yield* retryOnConflict(declaration)
      return Endpoint.reply({ user }, session)
    }),
  })

const status = Endpoint.make({
  method: "GET",
  path: "/age/status",
  summary: "Whether the user has declared their year of birth.",
  access: "session",
  input: Endpoint.NoInput,
  output: Schema.Struct({ declared: Schema.Boolean }),
  handler: Effect.fnUntraced(function* ageStatus() {
    return Endpoint.reply({ declared: yield* hasDeclared((yield* CurrentSession).user.id) })
  }),
})

const ofViewer = GraphField.make({
  on: "viewer",
  name: "ageDeclared",
  summary: "Whether the viewer has declared their year of birth.",
  output: Schema.Boolean,
  load: (viewers) => Effect.forEach(viewers, ({ user }) => hasDeclared(user.id)),
})

/** The page to which the service's pages lead a sign-in with this challenge. */
const declarePage = (endpoint: ReturnType<typeof declare>) =>
  page({
    path: "/sign-in/age",
    endpoints: [endpoint],
    access: "public",
    challenge: "year_of_birth_required",
    show: Effect.gen(function* () {
      const { view, flow } = yield* Visit
      if (flow().challenge === undefined) return yield* startAgain
      const title = text(view, "age.title")
      const body = inputField(view, { name: "year", label: text(view, "age.year"), attributes: { inputmode: "numeric", maxlength: "4" } })
      return { title, main: card(view, title, form(view, { action: "declare", submit: text(view, "age.submit"), body })) }
    }),
    actions: {
      declare: orStartAgain(
        Effect.gen(function* () {
          const { form, flow } = yield* Visit
          const { token: challenge_token } = flow().challenge ?? { token: "" }
          return yield* completeSignIn(yield* call(endpoint, { year: Number(field(form, "year")), challenge_token }))
        }),
      ),
    },
  })

const texts = {
  "age.title": "When were you born?",
  "age.year": "Year of birth",
  "age.submit": "Continue",
  "error.too_young": "You are too young to use this service.",
}

export const age = Module.define({
  name,
  errors: [TooYoung],
  settings: Settings,
  texts: async (tag) => (tag === "en" ? texts : {}),
  parts: (settings) => {
    const endpoint = declare(settings)
    return {
      tables: [Births],
      endpoints: [endpoint, status],
      pages: [declarePage(endpoint)],
      graphFields: [ofViewer],
      challenge: settings.minimum > 0 ? challenge : undefined,
      // The owner of an address does not inherit the answer of an attacker who registered the address.
      reclaimedTables: [{ table: Births }],
    }
  },
})
