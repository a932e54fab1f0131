import { Array, Effect, Option, Redacted, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { Keys } from "../../../../domain/tokens/keys.ts"
import type { Protocol } from "../../../service/endpoint.ts"
import { InvalidClient } from "../errors.ts"
import { parameters, singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { readDocument } from "./agents/documents.ts"
import { provesByCertificate } from "./certificate-authentication.ts"
import { type AuthMethod, authMethodsOf, type Client, certificateMethods, isPublic } from "./client.ts"
import { type Assertion, assertionType, consume, parsedAssertion, proves } from "./client-assertion.ts"
import { isSameHash } from "./refresh-token.ts"
import { clientOf, clientSecretHash } from "./stored-clients.ts"

/** The parameters by which a client authenticates itself. */
export const Credentials = parameters("client_id", "client_secret", "client_assertion", "client_assertion_type")
type Body = ReturnType<typeof singles<keyof typeof Credentials.Type>>

/** The header fields with credentials: `Authorization`, and the one with the certificate of the TLS client. */
interface Fields {
  readonly authorization: string | null
  readonly client_certificate: string | null
}

/** What a request presents: an assertion, or a secret. Without both, it is that of a public client, or is proven by its certificate. */
interface Presented {
  readonly client_id: string | undefined
  readonly methods: ReadonlyArray<AuthMethod>
  readonly secret: string
  readonly assertion: Assertion | null
}

/** Authenticates a client (RFC 6749 section 2.3). A public client is identified by `client_id` alone. */
export const authenticate = Effect.fnUntraced(function* authenticate(settings: Settings, body: Body) {
  const fields = yield* Caller
  const presented = yield* presentedBy(body, fields.authorization)
  yield* readDocument(settings, presented.client_id, null)
  const { client, assertion } = yield* verified(settings, presented, fields)
  if (assertion !== null && !(yield* consume(assertion))) return yield* new InvalidClient()
  return client
})

const verified = Effect.fnUntraced(function* verified(settings: Settings, presented: Presented, fields: Fields) {
  const client = yield* clientOf(settings, presented.client_id)
  if (Option.isNone(client) || !(yield* isProven(settings, client.value, presented, fields))) return yield* new InvalidClient()
  return { client: client.value, assertion: presented.assertion }
})

const isProven = Effect.fnUntraced(function* isProven(
  settings: Settings,
  client: Client,
  { methods, secret, assertion }: Presented,
  { client_certificate }: Fields,
) {
  const accepted = authMethodsOf(client).filter((method) => methods.includes(method))
  const [first] = accepted
  if (first === undefined) return false
  if (Array.contains<AuthMethod>(certificateMethods, first)) return yield* provesByCertificate(settings, client, first, client_certificate)
  return assertion === null ? yield* isSecret(client, secret) : yield* proves(client, accepted, assertion)
})

/**
 * The client that gets its own request budget. Public clients get none: a client_id proves nothing, so an attacker could exhaust the budget
 * of that client.
 */
const provenClient = (settings: Settings): NonNullable<Protocol["client"]> =>
  Effect.fnUntraced(
    function* provenClient({ body, ...fields }) {
      const credentials = Option.getOrElse(Schema.decodeUnknownOption(Credentials)(body), () => ({}))
      const presented = yield* presentedBy(singles(credentials), fields.authorization)
      const { client } = yield* verified(settings, presented, fields)
      return isPublic(client) ? null : client.client_id
    },
    Effect.orElseSucceed(() => null),
  )

/** The parts of a protocol by which clients authenticate themselves. */
export const clientProtocol = (settings: Settings) => ({
  client: provenClient(settings),
  certificateField: settings.client_certificate_header,
})

/** The one authentication of a request. Two at once are refused (RFC 6749 section 2.3). */
const presentedBy = Effect.fnUntraced(function* presentedBy(body: Body, authorization: string | null) {
  const { client_secret, client_assertion } = body
  if (authorization !== null) {
    const presented = yield* fromHeader(authorization, body.client_id)
    const isInBody = client_secret !== undefined || client_assertion !== undefined
    return isInBody ? yield* new InvalidRequest({ message: twoMethods }) : presented
  }
  if (client_secret !== undefined && client_assertion !== undefined) return yield* new InvalidRequest({ message: twoMethods })
  if (client_assertion !== undefined) return yield* fromAssertion(client_assertion, body)
  if (client_secret !== undefined) return withSecret(body.client_id, client_secret, "client_secret_post")
  return { client_id: body.client_id, methods: ["none", ...certificateMethods], secret: "", assertion: null } satisfies Presented
})

const twoMethods = "The client uses two authentication methods at once."

const withSecret = (client_id: string | undefined, secret: string, method: AuthMethod): Presented => ({
  client_id,
  methods: secret === "" ? ["none"] : [method],
  secret,
  assertion: null,
})

const fromAssertion = Effect.fnUntraced(function* fromAssertion(token: string, { client_id, client_assertion_type }: Body) {
  if (client_assertion_type !== assertionType) return yield* new InvalidRequest({ message: "client_assertion_type is unknown." })
  const assertion = parsedAssertion(token)
  if (Option.isNone(assertion)) return yield* new InvalidClient()
  const { sub } = assertion.value.claims
  if (client_id !== undefined && client_id !== sub) return yield* new InvalidClient()
  return { client_id: sub, methods: ["client_secret_jwt", "private_key_jwt"], secret: "", assertion: assertion.value } satisfies Presented
})

const fromHeader = Effect.fnUntraced(function* fromHeader(authorization: string, client_id: string | undefined) {
  const basic = basicOf(authorization)
  if (Option.isNone(basic)) return yield* new InvalidClient()
  if (client_id !== undefined && client_id !== basic.value.client_id) {
    return yield* new InvalidRequest({ message: "client_id does not match the Authorization header." })
  }
  return withSecret(basic.value.client_id, basic.value.client_secret, "client_secret_basic")
})

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1), so an identifier can contain a colon. */
const basicOf = Option.liftThrowable((authorization: string) => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization) ?? []
  const decoded = Base64.decodeString(encoded ?? "")
  const [, id, secret] = decoded._tag === "Success" ? (/^([^:]*):(.*)$/s.exec(decoded.success) ?? []) : []
  if (id === undefined || secret === undefined) throw new TypeError("not Basic credentials")
  return { client_id: formDecoded(id), client_secret: formDecoded(secret) }
})

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "))

/** Compares the MACs or the hashes of both secrets, in constant time. */
const isSecret = Effect.fnUntraced(function* isSecret({ client_secret, secret_hashes = [] }: Client, presented: string) {
  if (secret_hashes.length > 0) {
    const hash = yield* clientSecretHash(presented)
    return secret_hashes.some((each) => isSameHash(hash, each))
  }
  const keys = yield* Keys
  return yield* keys.verify("client_secret", presented, yield* keys.sign("client_secret", Redacted.value(client_secret)))
})
