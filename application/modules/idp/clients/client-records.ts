import { DateTime, Effect, Schema } from "effect"
import type { Authority } from "../../../../domain/administration/principal.ts"
import { InvalidRequest, invalidMember } from "../../../../domain/errors.ts"
import {
  conflictIfTaken,
  insert,
  orFail,
  remove,
  retryOnConflict,
  Store,
  update,
  type Versioned,
  type Write,
} from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { randomToken } from "../../../../domain/tokens/keys.ts"
import { faults } from "../../../service/faults.ts"
import { ClientNotFound } from "../errors.ts"
import { bytesOf, maxRequestBytes } from "../parameters.ts"
import { algorithmsOf, faultsOf, type Settings } from "../settings.ts"
import { permissionsOfClient } from "./administrators.ts"
import { Metadata } from "./client.ts"
import { clientSecretHash, type StoredClient, StoredClients, storedClient } from "./stored-clients.ts"

// Clients that administrators create and change while the service runs. Who has the secret of a client, or writes its keys, can act as the
// client, so its permissions must not exceed those of the writer.

/** The metadata of a client as administrators send it: every member is optional. */
export const WrittenMetadata = Schema.toEncoded(Metadata)
export type WrittenMetadata = typeof WrittenMetadata.Type

const refused = (path: ReadonlyArray<string | number>, wanted: string) =>
  new InvalidRequest({ member: String(path[0]), message: `${path.join(".")}: wanted ${wanted}` })

const decoded = (written: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(Metadata)(written), ({ issue }) => new InvalidRequest(faults(issue)))

/** The members that name an algorithm of this service. */
const algorithmMembers = ["id_token_signed_response_alg", "userinfo_signed_response_alg", "introspection_signed_response_alg"] as const

/** Fails unless the client is valid, its metadata is not too large, and this service has keys for its algorithms. */
export const checkClient = Effect.fnUntraced(function* checkClient(settings: Settings, row: StoredClient) {
  if (bytesOf(JSON.stringify(row.metadata)) > maxRequestBytes) {
    return yield* new InvalidRequest({ message: `The metadata is longer than ${maxRequestBytes} bytes.` })
  }
  const client = yield* storedClient(settings, row)
  const [fault] = faultsOf(settings, client)
  if (fault !== undefined) return yield* refused(fault.path, fault.wanted)
  const known = algorithmsOf(settings)
  const unknown = algorithmMembers.find((member) => client[member] !== null && !known.includes(client[member]))
  if (unknown !== undefined) return yield* refused([unknown], `one of ${known.join(", ")}, for which the service has keys`)
})

const usesSecret = ({ token_endpoint_auth_method: method }: Metadata) => method === null || method.startsWith("client_secret")

/** The row of a client with a secret: a new one if it has none yet. The row of another client, without secrets. */
export const withSecret = Effect.fnUntraced(function* withSecret(row: StoredClient) {
  if (!usesSecret(row.metadata)) return { row: { ...row, secret_hashes: [] }, client_secret: null }
  if (row.secret_hashes.length > 0) return { row, client_secret: null }
  const client_secret = yield* randomToken
  return { row: { ...row, secret_hashes: [yield* clientSecretHash(client_secret)] }, client_secret }
})

/** Further writes of the commit, from what it stores. */
type More<A, E, R> = (made: A) => Effect.Effect<ReadonlyArray<Write>, E, R>
const nothing = () => Effect.succeed([])

interface Made {
  readonly row: StoredClient
  readonly client_secret: string | null
}

/** Creates a client. Without `token_endpoint_auth_method` it gets a secret, which only this response contains. */
export const createClient = Effect.fnUntraced(function* createClient<R, E = never, S = never>(
  settings: Settings,
  written: WrittenMetadata,
  may: Authority<R>,
  more: More<Made, E, S> = nothing,
) {
  const metadata = yield* decoded(written)
  const now = yield* DateTime.now
  const { row, client_secret } = yield* withSecret({
    client_id: yield* newId,
    metadata,
    secret_hashes: [],
    registration_hash: null,
    created_at: now,
    updated_at: now,
  })
  yield* checkClient(settings, row)
  const unchanged = yield* may(null, yield* permissionsOfClient(metadata))
  const added = yield* more({ row, client_secret })
  yield* conflictIfTaken((yield* Store).commit([...added, ...unchanged, insert(StoredClients, row)]))
  return { row, client_secret }
}, retryOnConflict)

/** The stored client with this id. Fails for a client in the configuration, which only the operator can change. */
export const storedRow = Effect.fnUntraced(function* storedRow({ clients }: Settings, client_id: string) {
  if (clients.some((each) => each.client_id === client_id)) {
    return yield* invalidMember("client_id", "wanted a client that is not in the configuration")
  }
  return yield* orFail((yield* Store).read(StoredClients, { client_id }), () => new ClientNotFound())
})

/** Replaces the row of a client, with the time of the change. */
export const replacedClient = Effect.fnUntraced(function* replacedClient(
  stored: Versioned<StoredClient>,
  row: StoredClient,
  unchanged: ReadonlyArray<Write> = [],
) {
  const next = { ...row, updated_at: yield* DateTime.now }
  yield* (yield* Store).commit([...unchanged, update(StoredClients, stored, next)])
  return next
})

/** Changes the given members of a client; the others stay. */
export const changeClient = Effect.fnUntraced(function* changeClient<R>(
  settings: Settings,
  client_id: string,
  changes: WrittenMetadata,
  may: Authority<R>,
) {
  const stored = yield* storedRow(settings, client_id)
  const before = yield* Effect.orDie(Schema.encodeEffect(Metadata)(stored.row.metadata))
  const metadata = yield* decoded({ ...before, ...changes })
  const { row, client_secret } = yield* withSecret({ ...stored.row, metadata })
  yield* checkClient(settings, row)
  const unchanged = yield* may(null, yield* permissionsOfClient(metadata))
  return { row: yield* replacedClient(stored, row, unchanged), client_secret }
}, retryOnConflict)

/** Gives a client a new secret. The previous one stays valid until the next rotation, unless `revoke_previous`. */
export const rotateClientSecret = Effect.fnUntraced(function* rotateClientSecret<R, E = never, S = never>(
  settings: Settings,
  client_id: string,
  revoke_previous: boolean,
  may: Authority<R>,
  more: More<string, E, S> = nothing,
) {
  const stored = yield* storedRow(settings, client_id)
  if (!usesSecret(stored.row.metadata)) return yield* refused(["client_id"], "a client with a secret")
  const client_secret = yield* randomToken
  const kept = revoke_previous ? [] : stored.row.secret_hashes.slice(0, 1)
  const row = { ...stored.row, secret_hashes: [yield* clientSecretHash(client_secret), ...kept] }
  const unchanged = yield* may(null, yield* permissionsOfClient(stored.row.metadata))
  const added = yield* more(client_secret)
  return { row: yield* replacedClient(stored, row, [...added, ...unchanged]), client_secret }
}, retryOnConflict)

/** Removes a client. All processes refuse it, and all of its tokens, from then on. */
export const removeClient = Effect.fnUntraced(function* removeClient(settings: Settings, client_id: string) {
  const stored = yield* storedRow(settings, client_id)
  yield* Effect.orDie((yield* Store).commit([remove(StoredClients, stored.row.client_id)]))
})
