import { setTimeout } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { DateTime, Deferred, Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { Jobs } from "../../../../application/modules/admin/jobs/tables.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { insert, Store, type Write } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { storedUser } from "../../../stored-user.ts"
import { core, rows, signedUp as signedUpTo, times, type WorldServices } from "../../../world.ts"
import { builtWith, call, issuer } from "../idp/provider.ts"

// Services with jobs, and what the tests of jobs share.

export const [root, boss] = ["root@example.com", "boss@example.com"]

const machine = (client_id: string, scopes: ReadonlyArray<string>, more: object = {}) => ({
  client_id,
  client_secret: `the secret of ${client_id}`,
  grant_types: ["client_credentials"],
  resources: [`${issuer}/admin`],
  scopes,
  ...more,
})
/** An identity provider with one client, `sync`. */
export const idpWith = (scopes: ReadonlyArray<string> = permissions, more: object = {}) =>
  builtWith({ clients: [machine("sync", scopes, more)] })

/** A service with jobs, with these settings of the module `admin`. */
export const serviceWith = (settings: object = {}, idp = idpWith()) => {
  const built = admin.build(
    Schema.decodeUnknownSync(admin.settings)({
      admin_emails: [root, boss],
      jobs: true,
      roles: { runner: ["jobs:run", "sessions:revoke"], banner: ["jobs:run", "users:suspend"], reader: ["jobs:read"] },
      ...settings,
    }),
  )
  const modules = [...core, built, audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned), idp]
  return { built, idp, modules, auth: AuthOf.make(modules) }
}
export const service = serviceWith()
export const { auth } = service
export const rule = rulesOf(service.modules)
export const {
  adminBanUser,
  adminJobsCancel,
  adminJobsCreate,
  adminJobsList,
  adminJobsShow,
  adminServiceAccountsCreate,
  adminServiceAccountsUpdate,
  adminSetRole,
  adminUsersList,
} = service.built.endpoints

export const signedUp = (email: string) => signedUpTo(email, auth)

/** The `Authorization` of the client `sync`. */
export const bearer = Effect.fnUntraced(function* (scope?: string, { idp, auth }: Pick<typeof service, "auth" | "idp"> = service) {
  const input = { grant_type: "client_credentials", resource: `${issuer}/admin`, client_id: "sync", client_secret: "the secret of sync" }
  const narrowed = scope === undefined ? input : { ...input, scope }
  const { access_token } = yield* call(idp.endpoints.oauth2Token, narrowed, null, auth)
  return `Bearer ${access_token}`
})

/** Users with unverified addresses `user0@example.com` and so on, without sessions. Returns their ids, the earliest first. */
export const many = Effect.fnUntraced(function* (count: number) {
  const { commit } = yield* Store
  const now = yield* DateTime.now
  const users: ReadonlyArray<StoredUser> = times(count, (at) =>
    storedUser({
      id: `id-${String(at).padStart(5, "0")}`,
      email: `user${at}@example.com`,
      email_verified: false,
      created_at: DateTime.add(now, { milliseconds: at }),
    }),
  )
  for (let at = 0; at < count; at += 500) yield* Effect.orDie(commit(users.slice(at, at + 500).map((user) => insert(Users, user))))
  return users.map(({ id }) => id)
})

export const jobOf = Effect.fnUntraced(function* (id: string) {
  const job = (yield* rows(Jobs)).find((one) => one.id === id)
  assert.isDefined(job)
  return job!
})

const isOpen = Effect.map(rows(Jobs), (all) => all.some(({ state }) => state === "queued" || state === "running"))

/** Lets the other fibers, and a database, work for a moment. */
export const moment = Effect.promise(() => setTimeout(2))

export const until = <R>(condition: Effect.Effect<boolean, never, R>) =>
  Effect.gen(function* () {
    for (let left = 5000; !(yield* condition); left--) {
      if (left === 0) return yield* Effect.die(new Error("the condition never becomes true"))
      yield* moment
    }
  })

/** The background work of a process, until no job waits or runs. */
export const worked: Effect.Effect<void, never, WorldServices> = Effect.suspend(() => workedBy(auth))
export const workedBy = (own: AuthOf.Auth<any>): Effect.Effect<void, never, WorldServices> =>
  Effect.scoped(Effect.andThen(own.background, until(isOpen.pipe(Effect.map((open) => !open))))) as Effect.Effect<
    void,
    never,
    WorldServices
  >

/** A process whose commits of progress after the first `free` ones wait until they are released, or until the process ends. */
export const pausedAfter = Effect.fnUntraced(function* (free: number, own: AuthOf.Auth<any> = auth) {
  const store = yield* Store
  const [reached, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  let commits = 0
  const isProgress = (writes: ReadonlyArray<Write>) =>
    writes.some((write) => write.table.name === Jobs.name && "row" in write && Number(write.row["position"]) > 0)
  const commit = (writes: ReadonlyArray<Write>) => {
    if (!isProgress(writes) || ++commits <= free) return store.commit(writes)
    return Effect.andThen(Deferred.succeed(reached, undefined), Effect.andThen(Deferred.await(released), store.commit(writes)))
  }
  const process = own.background.pipe(Effect.provideService(Store, Store.of({ ...store, commit }))) as Effect.Effect<
    void,
    never,
    WorldServices
  >
  return { process, reached: Deferred.await(reached), release: Deferred.succeed(released, undefined) }
})
