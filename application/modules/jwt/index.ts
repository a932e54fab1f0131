import { Array, Effect, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { orFail } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { CurrentImpersonation } from "../../../domain/sessions/impersonation.ts"
import * as Core from "../../../domain/settings.ts"
import { about, orElse, Seconds } from "../../../domain/settings.ts"
import * as Jwt from "../../../domain/tokens/jwt.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import type { ShownKey } from "../../../domain/tokens/shown-key.ts"
import { PublicJwk } from "../../../domain/tokens/signing-key.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const Settings = Schema.Struct({
  algorithm: Schema.Literals(["HS256", "EdDSA"]).pipe(
    orElse("HS256", "`HS256`: only this service can verify tokens; `EdDSA`: any service can, with the public keys of `/jwks`."),
  ),
  expires_in: Seconds.pipe(orElse(900, "Lifetime of a token in seconds.")),
  issuer: Schema.optionalKey(Schema.NonEmptyString).pipe(about("The `iss` of tokens. Default: `public_url` + `base_path`.")),
  audience: Schema.optionalKey(Schema.NonEmptyString).pipe(about("The `aud` of tokens; `/token/verify` checks it. Default: the issuer.")),
})
type Settings = typeof Settings.Type

/** The claims of a token. `email` alone proves nothing: the user may never have verified it. */
export const Claims = Schema.Struct({
  sub: Schema.String,
  email: Schema.String,
  email_verified: Schema.Boolean,
  iss: Schema.String,
  /** The audience: one name or a list (RFC 7519 section 4.1.3). */
  aud: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  iat: Schema.Int,
  exp: Schema.Int,
  /** The administrator who acts in the name of the user (RFC 8693 section 4.1). */
  act: Schema.optionalKey(Schema.Struct({ sub: Schema.String })),
})

/** The purpose of the signing keys. They differ from those of the identity provider: its id_tokens must not be valid here. */
const purpose = "jwt"

/** The keys of tokens, the newest first. */
const keysOf = ({ algorithm }: Settings) => Keys.use((keys) => (algorithm === "EdDSA" ? keys.signingKeys(purpose) : keys.macKeys(purpose)))

/** The same for administrators. */
const shownKeys = (settings: Settings) =>
  Effect.gen(function* shownTokenKeys() {
    const { ids } = yield* Keys
    return (yield* keysOf(settings)).map(({ alg, kid }, at): ShownKey => {
      const state = at === 0 ? "current" : "former"
      return { use: purpose, id: kid ?? ids[at] ?? "", algorithm: alg, state, from: null, until: null, due_at: null }
    })
  })

const issuerOf = ({ issuer }: Settings) => Effect.map(Core.Settings, ({ public_url, base_path }) => issuer ?? `${public_url}${base_path}`)

const audienceOf = (settings: Settings) => (settings.audience === undefined ? issuerOf(settings) : Effect.succeed(settings.audience))

const token = (settings: Settings) =>
  Endpoint.make({
    method: "GET",
    path: "/token",
    summary: "Issues a short-lived signed token for the user.",
    access: "session",
    impersonation: "act",
    output: Schema.Struct({ token: Schema.String, expires_in: Schema.Int }),
    handler: Effect.fnUntraced(function* jwtToken() {
      const { session, user } = yield* CurrentSession
      const impersonation = yield* CurrentImpersonation
      const iat = yield* Jwt.seconds
      const left = Math.floor(session.expires_at.epochMilliseconds / 1000) - iat
      const expires_in = impersonation === null ? settings.expires_in : Math.min(settings.expires_in, left)
      const claims: typeof Claims.Type = {
        sub: user.id,
        email: user.email,
        email_verified: user.email_verified,
        iss: yield* issuerOf(settings),
        aud: yield* audienceOf(settings),
        iat,
        exp: iat + expires_in,
        ...(impersonation === null ? {} : { act: { sub: impersonation.impersonator_user_id } }),
      }
      const [newest] = yield* keysOf(settings)
      return Endpoint.reply({ token: yield* Jwt.sign(newest, claims, "JWT"), expires_in })
    }),
  })

const tokenVerify = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/token/verify",
    summary: "Verifies a token of this service and returns its claims.",
    access: "public",
    input: Schema.Struct({ token: Schema.String }),
    output: Schema.Struct({ valid: Schema.Literal(true), user_id: Schema.String, claims: Claims }),
    errors: [[InvalidToken, 401]],
    invalid: InvalidToken,
    handler: Effect.fnUntraced(function* jwtVerify({ token }) {
      const claims = yield* orFail(Jwt.read(yield* keysOf(settings), Claims, token), () => new InvalidToken())
      if (claims.iss !== (yield* issuerOf(settings))) return yield* new InvalidToken()
      // A token for another service must not be accepted here: that service could replay the tokens it receives.
      if (!Array.ensure(claims.aud).includes(yield* audienceOf(settings))) return yield* new InvalidToken()
      if (claims.exp <= (yield* Jwt.seconds)) return yield* new InvalidToken()
      return Endpoint.reply({ valid: true, user_id: claims.sub, claims })
    }),
  })

const jwks = Endpoint.make({
  method: "GET",
  path: "/jwks",
  summary: "The public keys to verify tokens with.",
  access: "public",
  /** RFC 7517 section 5. */
  output: Schema.Struct({ keys: Schema.Array(PublicJwk) }),
  protocol: { anyOrigin: true, isOperation: true },
  handler: Effect.fnUntraced(function* jwtKeys() {
    const pairs = yield* (yield* Keys).signingKeys(purpose)
    return Endpoint.reply({ keys: pairs.map(({ publicKey }) => publicKey) })
  }),
})

/** Signed tokens for services without sessions of their own. */
export const jwt = Module.define({
  name: "jwt",
  settings: Settings,
  parts: (settings) => {
    const tokens = [token(settings), tokenVerify(settings)] as const
    return { signingKeys: shownKeys(settings), endpoints: settings.algorithm === "EdDSA" ? ([...tokens, jwks] as const) : tokens }
  },
})
