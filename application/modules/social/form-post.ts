import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../domain/settings.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { Answer } from "./requests.ts"
import { callbackPath } from "./settings.ts"

// Providers that return to the service by a form (OAuth 2.0 Form Post Response Mode), such as Apple.

const purpose = "oauth-form-response"

const atMost = (length: number) => Schema.NonEmptyString.check(Schema.isMaxLength(length))

const Input = Schema.Struct({
  state: atMost(512),
  code: Schema.optionalKey(atMost(4096)),
  iss: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(2048))),
  error: Schema.optionalKey(atMost(512)),
  /** Apple sends the name of the user along with the first code, as JSON. */
  user: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4096))),
})

/** The content of a form, for the callback. */
const Response = Schema.Struct({
  state: Schema.String,
  code: Schema.String,
  iss: Schema.optionalKey(Schema.String),
  user: Schema.optionalKey(Schema.String),
})
const ResponseJson = Schema.fromJsonString(Response)

/**
 * Accepts the form, and redirects the browser to the callback of all providers. With the form of another site, browsers send no
 * `SameSite=Lax` cookies; with the GET they do. The code and the name are encrypted in its URL, because URLs are logged.
 */
export const oauthCallbackForm = Endpoint.make({
  method: "POST",
  path: callbackPath,
  name: "oauthCallbackForm",
  summary: "The callback of providers that return with a form: continues at `GET /oauth/callback`.",
  access: "public",
  protocol: { form: true, navigable: true },
  input: Input,
  output: Endpoint.Redirect,
  handler: Effect.fnUntraced(function* socialCallbackForm({ state, code, error, iss, user }) {
    const { public_url, base_path } = yield* Settings
    const query = new URLSearchParams({ state })
    if (error !== undefined) query.set("error", error)
    if (error === undefined && code !== undefined) {
      const response = { state, code, ...(iss === undefined ? {} : { iss }), ...(user === undefined ? {} : { user }) }
      query.set("response", yield* (yield* Keys).seal(purpose, JSON.stringify(response)))
    }
    const redirect = `${public_url}${base_path}${callbackPath}?${query}`
    return { ...Endpoint.reply({ redirect }), location: redirect }
  }),
})

/** The response in a form, from the callback's URL; none if it belongs to another state, or was not encrypted here. */
export const formResponse = Effect.fnUntraced(function* formResponse(state: string, sealed: string) {
  const text = yield* (yield* Keys).open(purpose, sealed)
  return text.pipe(
    Option.flatMap(Schema.decodeUnknownOption(ResponseJson)),
    Option.filter((response) => response.state === state),
  )
})

const Name = Schema.Struct({ firstName: Schema.optionalKey(Schema.String), lastName: Schema.optionalKey(Schema.String) })
const UserJson = Schema.fromJsonString(Schema.Struct({ name: Name }))

/** The name in the data that Apple sends with the code. The address there is not signed, so it is not read. */
export const nameIn = (user: string | undefined): Answer =>
  Option.match(Schema.decodeUnknownOption(UserJson)(user), {
    onNone: () => ({}),
    onSome: ({ name: { firstName = "", lastName = "" } }) => ({ name: `${firstName} ${lastName}`.trim() }),
  })
