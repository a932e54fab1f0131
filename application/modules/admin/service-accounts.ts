import { DateTime, Effect, Schema } from "effect"
import { permissions } from "../../../domain/administration/permissions.ts"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { permissionsIn, permittedBy, type ServiceAccount, ServiceAccounts } from "../../../domain/administration/service-accounts.ts"
import { IdempotencyKeyReused } from "../../../domain/errors.ts"
import { commitOrConflict, insert, orFail, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../service/idempotency.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { ServiceAccountNotFound, TooMany } from "./errors.ts"
import { organizationCheck } from "./organization-check.ts"

// Service accounts: identities for clients of the identity provider.

const Name = Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" }))
const Written = { name: Name, permissions: Schema.Array(Schema.Literals(permissions)) }
const One = { service_account_id: Schema.String }

/** The form of a service account for administrators. */
const Shown = Schema.Struct({
  id: Schema.String,
  ...Written,
  organization_id: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "ServiceAccount" })

const shown = (row: ServiceAccount): typeof Shown.Type => ({ ...row, permissions: permissionsIn(row) })

/** Limit on service accounts. Administrators at the same moment can exceed it by a few. */
const maxAccounts = 1000

const stored = Effect.fnUntraced(function* storedAccount(id: string) {
  return yield* orFail((yield* Store).read(ServiceAccounts, { id }), () => new ServiceAccountNotFound())
})

const Creation = Schema.Struct({ ...IdempotencyKey, ...Written, organization_id: Schema.optionalKey(Schema.String) })
const WithAccount = Schema.Struct({ service_account: Shown })

const create = Endpoint.make({
  method: "POST",
  path: "/admin/service-accounts/create",
  summary: "Adds a service account. Clients of the identity provider that name it have at most its permissions.",
  access: { permission: "service_accounts:write" },
  input: Creation,
  output: WithAccount,
  errors: [TooMany, IdempotencyKeyReused],
  takesReason: true,
  handler: idempotent(
    WithAccount,
    Effect.fnUntraced(function* adminCreateServiceAccount(input: typeof Creation.Type, keep: Keep<typeof WithAccount.Type>) {
      const { name, permissions, organization_id } = input
      const now = yield* DateTime.now
      const row = { id: yield* newId, name, permissions, organization_id: organization_id ?? null, created_at: now, updated_at: now }
      const unchanged = yield* ofPrincipal(null, permittedBy(row))
      const others = yield* (yield* Store).list(ServiceAccounts, {}, { limit: maxAccounts })
      if (others.length >= maxAccounts) return yield* new TooMany()
      const answer = { service_account: shown(row) }
      const checks = [...unchanged, ...(yield* organizationCheck(organization_id))]
      yield* commitOrConflict([...(yield* keep(answer)), ...checks, insert(ServiceAccounts, row)])
      return Endpoint.reply(answer)
    }, retryOnConflict),
  ),
})

const change = Endpoint.make({
  method: "POST",
  path: "/admin/service-accounts/update",
  summary: "Changes the given members of a service account; its organization stays.",
  access: { permission: "service_accounts:write" },
  input: Schema.Struct({
    ...One,
    changes: Schema.Struct({ name: Schema.optionalKey(Name), permissions: Schema.optionalKey(Written.permissions) }),
  }),
  output: Schema.Struct({ service_account: Shown }),
  errors: [ServiceAccountNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminUpdateServiceAccount({ service_account_id, changes }) {
    const account = yield* stored(service_account_id)
    const next = { ...account.row, ...changes, updated_at: yield* DateTime.now }
    const unchanged = yield* ofPrincipal(null, new Set([...permittedBy(account.row), ...permittedBy(next)]))
    yield* commitOrConflict([...unchanged, update(ServiceAccounts, account, next)])
    return Endpoint.reply({ service_account: shown(next) })
  }, retryOnConflict),
})

const removal = Endpoint.make({
  method: "POST",
  path: "/admin/service-accounts/delete",
  summary: "Removes a service account. The tokens of clients that name it are refused from then on.",
  access: { permission: "service_accounts:write" },
  input: Schema.Struct(One),
  output: Success,
  errors: [ServiceAccountNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminDeleteServiceAccount({ service_account_id }) {
    const account = yield* stored(service_account_id)
    const unchanged = yield* ofPrincipal(null, permittedBy(account.row))
    yield* commitOrConflict([...unchanged, removeVersioned(ServiceAccounts, account)])
    return Endpoint.reply(succeeded)
  }, retryOnConflict),
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/service-accounts/list",
  summary: "The service accounts, the earliest first.",
  access: { permission: "service_accounts:read" },
  input: Schema.Struct(PageInput),
  output: Schema.Struct({ service_accounts: Schema.Array(Shown), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListServiceAccounts(request) {
    const { rows, rest } = yield* page(ServiceAccounts, {}, request)
    return Endpoint.reply({ service_accounts: rows.map(shown), ...rest })
  }),
})

const show = Endpoint.make({
  method: "GET",
  path: "/admin/service-accounts/show",
  summary: "One service account.",
  access: { permission: "service_accounts:read" },
  input: Schema.Struct(One),
  output: Schema.Struct({ service_account: Shown }),
  errors: [ServiceAccountNotFound],
  handler: Effect.fnUntraced(function* adminShowServiceAccount({ service_account_id }) {
    return Endpoint.reply({ service_account: shown((yield* stored(service_account_id)).row) })
  }),
})

export const serviceAccounts = [create, change, removal, list, show] as const
