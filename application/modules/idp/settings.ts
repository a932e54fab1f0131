import { Option, Schema } from "effect"
import { SigningAlgorithm } from "../../../domain/ports/jose.ts"
import { between, orElse, Seconds } from "../../../domain/settings.ts"
import type { Fault } from "../../service/module.ts"
import type { Client } from "./client.ts"
import { ConfiguredClient, clientFaults } from "./client.ts"

const day = 86_400

export const Settings = Schema.Struct({
  clients: Schema.Array(ConfiguredClient).pipe(orElse([])),
  /** The initial access tokens of clients that register themselves (RFC 7591). If the list is empty, no client can. */
  registration_tokens: Schema.Array(
    Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{32,}$/, { expected: "at least 32 printable characters" }))),
  ).pipe(orElse([])),
  /** Lifetime of a code, seconds. */
  code_ttl: Seconds.pipe(orElse(60)),
  /** Lifetime of an id_token, seconds. */
  id_token_ttl: Seconds.pipe(orElse(3600)),
  /** Seconds after which an unused refresh token ends. */
  refresh_token_idle_ttl: Seconds.pipe(orElse(14 * day)),
  /** Lifetime of all refresh tokens that follow from one code, seconds. */
  refresh_token_ttl: Seconds.pipe(orElse(90 * day)),
  /** Seconds in which the repetition of a refresh gets the same answer again. */
  refresh_token_grace: between(0, 60).pipe(orElse(10)),
  /** Whether DPoP proofs need a nonce of this service (RFC 9449 section 8). */
  require_dpop_nonce: Schema.Boolean.pipe(orElse(false)),
  /** Algorithms for which the service has keys, in addition to those of the configured clients. */
  signing_algorithms: Schema.Array(SigningAlgorithm).pipe(orElse(["EdDSA"])),
  /** Seconds for which a key signs, until the next one replaces it. */
  key_rotation: between(2 * day, 10 * 365 * day).pipe(orElse(90 * day)),
})
export type Settings = typeof Settings.Type

/** Rejects duplicate client ids, and duplicate values of one client. */
export const faults = ({ clients }: Settings): ReadonlyArray<Fault> => [
  ...repeats(clients.map(({ client_id }) => client_id)).map((index) => ({
    path: ["clients", index, "client_id"],
    wanted: "a client_id that no other client has",
  })),
  ...clients.flatMap((each, client) => faultsOf(each).map(({ path, wanted }) => ({ path: ["clients", client, ...path], wanted }))),
]

/** The faults of one client whose members are each valid. */
export const faultsOf = (client: Client): ReadonlyArray<Fault> => [
  ...clientFaults(client).map(({ field, wanted }) => ({ path: [field], wanted })),
  ...Object.entries({ redirect_uris: client.redirect_uris, scopes: client.scopes }).flatMap(([field, values]) =>
    repeats(values).map((index) => ({ path: [field, index], wanted: "each of them once" })),
  ),
]

/** The indices of values that occur earlier in the list. */
const repeats = (values: ReadonlyArray<string>): ReadonlyArray<number> =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))

/** The standard scopes, and all scopes of the clients. */
export const knownScopes = ({ clients }: Settings): ReadonlyArray<string> => [
  ...new Set(["openid", "profile", "email", ...clients.flatMap(({ scopes }) => scopes)]),
]

/** The algorithms that tokens are signed with. */
export const algorithmsOf = ({
  clients,
  signing_algorithms,
}: Pick<Settings, "clients" | "signing_algorithms">): ReadonlyArray<SigningAlgorithm> => [
  ...new Set([
    ...signing_algorithms,
    ...clients.flatMap((client) => [
      client.id_token_signed_response_alg,
      ...Option.toArray(Option.fromNullishOr(client.userinfo_signed_response_alg)),
      ...Option.toArray(Option.fromNullishOr(client.introspection_signed_response_alg)),
    ]),
  ]),
]
