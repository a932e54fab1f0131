import { Effect, Schema } from "effect"
import { InvalidRequest } from "../../../domain/errors.ts"
import { check, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { fresh } from "../../service/guards.ts"
import type { Directory } from "./code-exchange.ts"
import { OauthTokenError, UnknownProvider } from "./errors.ts"
import { begin, Targets } from "./flows.ts"
import type { SocialSettings } from "./settings.ts"

const Input = Schema.Struct({ provider: Schema.String, ...Targets })
const Output = Schema.Struct({ url: Schema.String })

export const configured = ({ providers }: SocialSettings, id: string) => {
  const provider = providers.find((each) => each.id === id)
  return provider === undefined ? Effect.fail(new UnknownProvider()) : Effect.succeed(provider)
}

export const signInSocial = (settings: SocialSettings, { metadata }: Directory) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/social",
    summary: "Starts a sign-in with a provider, and returns the URL of the provider's page.",
    access: "public",
    input: Input,
    output: Output,
    invalid: UnknownProvider,
    errors: [OauthTokenError, InvalidRequest],
    handler: Effect.fnUntraced(function* socialSignIn(input) {
      const provider = yield* configured(settings, input.provider)
      const { url, write, cookies } = yield* begin(provider, yield* metadata.endpointsOf(provider), null, input)
      yield* (yield* Store).commit([write]).pipe(Effect.orDie)
      return { ...Endpoint.reply({ url }), cookies }
    }),
  })

export const linkSocial = (settings: SocialSettings, { metadata }: Directory) =>
  Endpoint.make({
    method: "POST",
    path: "/link-social",
    summary: "Starts to link an account at a provider to the user, and returns the URL of the provider's page.",
    ...fresh,
    input: Input,
    output: Output,
    invalid: UnknownProvider,
    errors: [OauthTokenError, InvalidRequest],
    handler: Effect.fnUntraced(function* socialLink(input) {
      const provider = yield* configured(settings, input.provider)
      const endpoints = yield* metadata.endpointsOf(provider)
      const start = Effect.gen(function* () {
        const { session } = yield* rereadSession
        const { url, write, cookies } = yield* begin(provider, endpoints, session.row, input)
        yield* (yield* Store).commit([check(Sessions, session), write])
        return { ...Endpoint.reply({ url }), cookies }
      })
      return yield* retryOnConflict(start)
    }),
  })
