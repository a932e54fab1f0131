import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { InvalidToken, Unauthorized } from "../../../../domain/errors.ts"
import { insert, remove, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { InvalidClientMetadata, InvalidRedirectUri } from "../errors.ts"
import { issuer } from "../issuer.ts"
import { registrationRefusal } from "../refusals.ts"
import type { Settings } from "../settings.ts"
import { registerAgent } from "./agents/open-registration.ts"
import { checkClient, replacedClient, withSecret } from "./client-records.ts"
import { isSameHash } from "./refresh-token.ts"
import { RegistrationMetadata, registeredMetadata, shownMetadata } from "./registration-metadata.ts"
import { checkSectorIdentifier } from "./sector-identifier.ts"
import { isPublicOnly, type StoredClient, StoredClients } from "./stored-clients.ts"

const path = "/oauth2/register"

/** The response to a registration (RFC 7591 section 3.2.1). */
const Information = Schema.StructWithRest(
  Schema.Struct({
    client_id: Schema.String,
    client_secret: Schema.optionalKey(Schema.String),
    /** Seconds since 1970. */
    client_id_issued_at: Schema.Int,
    /** 0: never. */
    client_secret_expires_at: Schema.optionalKey(Schema.Int),
    /** Not of a client that registered without a token. */
    registration_access_token: Schema.optionalKey(Schema.String),
    registration_client_uri: Schema.optionalKey(Schema.String),
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
)

const hashOf = (token: string) => tokenHash("registration_access_token", token)

/** The token of the request; fails without one. */
const bearer = Effect.gen(function* () {
  const [, token] = /^bearer +(\S+) *$/i.exec((yield* Caller).authorization ?? "") ?? []
  return token ?? (yield* new Unauthorized({ message: "A registration needs an access token." }))
})

/** Fails unless the request has one of the initial access tokens (RFC 7591 section 3). If the list is empty, clients cannot register. */
const checkInitialToken = Effect.fnUntraced(function* checkInitialToken({ registration_tokens }: Settings) {
  const presented = yield* hashOf(yield* bearer)
  const hashes = yield* Effect.forEach(registration_tokens, (token) => hashOf(Redacted.value(token)))
  if (!hashes.some((hash) => isSameHash(presented, hash))) return yield* new InvalidToken()
})

/** The client that the registration access token belongs to (RFC 7592 section 2). An unknown client and a wrong token cause the same error. */
const ownClient = Effect.fnUntraced(function* ownClient(client_id: string) {
  const token = yield* bearer
  const stored = yield* (yield* Store).read(StoredClients, { client_id })
  const hash = yield* hashOf(token)
  if (Option.isNone(stored) || !isSameHash(hash, stored.value.row.registration_hash)) return yield* new InvalidToken()
  return { stored: stored.value, token }
})

const asMetadataFault = <A, E extends { readonly _tag: string; readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, ({ message }) => new InvalidClientMetadata({ message }))

const information = Effect.fnUntraced(function* information(row: StoredClient, token: string, client_secret: string | null) {
  const uri = `${yield* issuer}${path}?${new URLSearchParams({ client_id: row.client_id })}`
  return {
    ...shownMetadata(row.metadata),
    client_id: row.client_id,
    client_id_issued_at: Math.floor(DateTime.toEpochMillis(row.created_at) / 1000),
    ...(client_secret === null ? {} : { client_secret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: uri,
  }
})

const validMetadata = Effect.fnUntraced(function* validMetadata(settings: Settings, given: RegistrationMetadata) {
  const metadata = yield* registeredMetadata(settings, given)
  yield* checkSectorIdentifier(given.sector_identifier_uri, metadata.redirect_uris, yield* isPublicOnly(settings, true))
  return metadata
})

const shared = {
  path,
  access: "public",
  output: Information,
  invalid: InvalidClientMetadata,
  errors: [InvalidRedirectUri, [InvalidToken, 401], Unauthorized],
} as const
const protocol = { anyOrigin: true, refusal: registrationRefusal } as const

const register = (settings: Settings) =>
  Endpoint.make({
    ...shared,
    method: "POST",
    summary: "Registers a client that has an initial access token, or a public client where that is open to all (RFC 7591).",
    input: RegistrationMetadata,
    protocol: { ...protocol, created: true },
    handler: Effect.fnUntraced(function* identityProviderRegister(given) {
      const { open_registration } = settings
      if (open_registration !== null && (yield* Caller).authorization === null) {
        return Endpoint.reply(yield* registerAgent(settings, open_registration.native_redirect_uris, given))
      }
      yield* checkInitialToken(settings)
      const metadata = yield* validMetadata(settings, given)
      const token = yield* randomToken
      const now = yield* DateTime.now
      const base = { client_id: yield* newId, metadata, secret_hashes: [], created_at: now, updated_at: now }
      const { row, client_secret } = yield* withSecret({ ...base, registration_hash: yield* hashOf(token) })
      yield* asMetadataFault(checkClient(settings, row))
      yield* Effect.orDie((yield* Store).commit([insert(StoredClients, row)]))
      return Endpoint.reply(yield* information(row, token, client_secret))
    }),
  })

const One = { client_id: Schema.String }

const read = Endpoint.make({
  ...shared,
  method: "GET",
  name: "oauth2RegisterRead",
  summary: "Returns the registration of a client to the client itself, without its secret (RFC 7592 section 2.1).",
  input: Schema.Struct(One),
  protocol,
  handler: Effect.fnUntraced(function* identityProviderReadRegistration({ client_id }) {
    const { stored, token } = yield* ownClient(client_id)
    return Endpoint.reply(yield* information(stored.row, token, null))
  }),
})

const replace = (settings: Settings) =>
  Endpoint.make({
    ...shared,
    method: "PUT",
    name: "oauth2RegisterUpdate",
    summary: "Replaces the metadata of a client, by the client itself (RFC 7592 section 2.2).",
    input: Schema.Struct({ ...One, ...RegistrationMetadata.fields }),
    protocol,
    handler: Effect.fnUntraced(function* identityProviderUpdateRegistration({ client_id, ...given }) {
      yield* ownClient(client_id)
      const metadata = yield* validMetadata(settings, given)
      const change = Effect.gen(function* () {
        const { stored, token } = yield* ownClient(client_id)
        const { row, client_secret } = yield* withSecret({ ...stored.row, metadata })
        yield* asMetadataFault(checkClient(settings, row))
        return { row: yield* replacedClient(stored, row), token, client_secret }
      })
      const { row, token, client_secret } = yield* retryOnConflict(change)
      return Endpoint.reply(yield* information(row, token, client_secret))
    }),
  })

const removal = Endpoint.make({
  ...shared,
  method: "DELETE",
  name: "oauth2RegisterDelete",
  summary: "Removes a client, by the client itself (RFC 7592 section 2.3).",
  input: Schema.Struct(One),
  output: Endpoint.Success,
  protocol,
  handler: Effect.fnUntraced(function* identityProviderDeleteRegistration({ client_id }) {
    const { stored } = yield* ownClient(client_id)
    yield* Effect.orDie((yield* Store).commit([remove(StoredClients, stored.row.client_id)]))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

/** The endpoints with which clients register and manage themselves. */
export const registration = (settings: Settings) => [register(settings), read, replace(settings), removal] as const
