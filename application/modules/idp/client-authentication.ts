import { Effect, Option, Redacted, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { InvalidClient, InvalidRequest } from "../../../domain/errors.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import type { Protocol } from "../../service/endpoint.ts"
import { parameters, singles } from "./parameters.ts"
import type { Client } from "./settings.ts"

interface Presented {
  readonly client_id?: string
  readonly client_secret?: string
}

/** Authenticates a client (RFC 6749 section 2.3) by the secret in the header or in the body; a public client is identified by `client_id` alone. */
export const authenticate = Effect.fnUntraced(function* authenticate(clients: ReadonlyArray<Client>, body: Presented) {
  return yield* verified(clients, body, (yield* Caller).authorization)
})

const verified = Effect.fnUntraced(function* verified(clients: ReadonlyArray<Client>, body: Presented, authorization: string | null) {
  const presented = authorization === null ? body : yield* fromHeader(authorization, body)
  const client = clients.find(({ client_id }) => client_id === presented.client_id)
  if (client === undefined) return yield* new InvalidClient()
  if (!(yield* isSecret(client, presented.client_secret ?? ""))) return yield* new InvalidClient()
  return client
})

/**
 * The client that gets its own request budget. Public clients have none: their client_id proves nothing, so an attacker could exhaust
 * the budget.
 */
export const provenClient = (clients: ReadonlyArray<Client>): NonNullable<Protocol["client"]> =>
  Effect.fnUntraced(
    function* provenClient({ authorization, body }) {
      const credentials = Option.getOrElse(Schema.decodeUnknownOption(Credentials)(body), () => ({}))
      const client = yield* verified(clients, singles(credentials), authorization)
      return Redacted.value(client.client_secret) === "" ? null : client.client_id
    },
    Effect.orElseSucceed(() => null),
  )

const Credentials = parameters("client_id", "client_secret")

const fromHeader = Effect.fnUntraced(function* fromHeader(authorization: string, body: Presented) {
  const basic = basicOf(authorization)
  if (Option.isNone(basic)) return yield* new InvalidClient()
  if (body.client_secret !== undefined) return yield* new InvalidRequest({ message: "The client uses two authentication methods at once." })
  if (body.client_id !== undefined && body.client_id !== basic.value.client_id) {
    return yield* new InvalidRequest({ message: "client_id does not match the Authorization header." })
  }
  return basic.value
})

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1), so an identifier can contain a colon. */
const basicOf = Option.liftThrowable((authorization: string): Presented => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization) ?? []
  const decoded = Base64.decodeString(encoded ?? "")
  const [, id, secret] = decoded._tag === "Success" ? (/^([^:]*):(.*)$/s.exec(decoded.success) ?? []) : []
  if (id === undefined || secret === undefined) throw new TypeError("not Basic credentials")
  return { client_id: formDecoded(id), client_secret: formDecoded(secret) }
})

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "))

/** Compares MACs, in constant time. */
const isSecret = Effect.fnUntraced(function* isSecret({ client_secret }: Client, presented: string) {
  const keys = yield* Keys
  return yield* keys.verify("client_secret", presented, yield* keys.sign("client_secret", Redacted.value(client_secret)))
})
