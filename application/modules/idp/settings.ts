import { Schema } from "effect"
import { orElse, Seconds } from "../../../domain/settings.ts"
import type { Fault } from "../../service/module.ts"
import { isRedirectUri } from "./redirect-uri.ts"

const RedirectUri = Schema.String.check(
  Schema.makeFilter(isRedirectUri, { expected: "an https URL, or http to localhost, without a fragment, a user or a wildcard" }),
)
/** RFC 6749 section 3.3. */
const ScopeToken = Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { expected: "a scope without blanks" }))

/** RFC 6749 appendix A.1 and A.2. */
const printable = { expected: "a text in printable ASCII" }

/** A relying party. */
export const Client = Schema.Struct({
  client_id: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]+$/, printable)),
  /** Empty for a public client, which must use PKCE. */
  client_secret: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[\x20-\x7e]*$/, printable))),
  redirect_uris: Schema.Array(RedirectUri).check(Schema.isMinLength(1, { expected: "at least one URL" })),
  /** The scopes that the client may request, and the default of a request without `scope`. */
  scopes: Schema.Array(ScopeToken)
    .check(Schema.isMinLength(1, { expected: "at least one scope" }))
    .pipe(orElse(["openid", "profile", "email"])),
})
export type Client = typeof Client.Type

export const Settings = Schema.Struct({
  clients: Schema.Array(Client).pipe(orElse([])),
  /** Lifetime of a code, seconds. */
  code_ttl: Seconds.pipe(orElse(60)),
  /** Lifetime of an id_token, seconds. */
  id_token_ttl: Seconds.pipe(orElse(3600)),
})
export type Settings = typeof Settings.Type

/** Rejects duplicate client ids, and duplicate values of one client. */
export const faults = ({ clients }: Settings): ReadonlyArray<Fault> => [
  ...repeats(clients.map(({ client_id }) => client_id)).map((index) => ({
    path: ["clients", index, "client_id"],
    wanted: "a client_id that no other client has",
  })),
  ...clients.flatMap(({ redirect_uris, scopes }, client) =>
    Object.entries({ redirect_uris, scopes }).flatMap(([field, values]) =>
      repeats(values).map((index) => ({ path: ["clients", client, field, index], wanted: "each of them once" })),
    ),
  ),
]

/** The indices of values that occur earlier in the list. */
const repeats = (values: ReadonlyArray<string>): ReadonlyArray<number> =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))

/** The standard scopes, and all scopes of the clients. */
export const knownScopes = ({ clients }: Settings): ReadonlyArray<string> => [
  ...new Set(["openid", "profile", "email", ...clients.flatMap(({ scopes }) => scopes)]),
]
