import { isIP } from "node:net"
import { Array, Schema } from "effect"
import { protocolClaims, scopeOfClaim } from "../../application/modules/idp/clients/standard-claims.ts"
import type { ExtraDefinition } from "../../application/modules/index.ts"
import type { Owned } from "../../application/service/module.ts"
import { faultsOf as attributeFaults, groupFaultsOf as groupFaults } from "../../domain/attributes/faults.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { makeOriginClassifier } from "../../domain/values/origins.ts"
import { addressTyped, Email } from "../../domain/values/text.ts"
import { isLocal } from "../../domain/values/url.ts"
import type { Fault } from "../configuration-faults.ts"
import { memberName } from "../graphql/names.ts"
import { local } from "../key-management/local.ts"
import { isWrapped } from "../key-management/wrapped.ts"
import { adapterOf, kindsOf } from "../kinds/adapter.ts"
import { listFault } from "../refused-domains/lists.ts"
import { adapters, storeOf } from "./adapters.ts"
import { coreFields, type Values } from "./fields.ts"

type Rule = (values: Partial<Values>) => ReadonlyArray<Fault>

/** The faults of combinations of values that are valid by themselves. `values` does not contain the others. */
export const ruleFaults: Rule = (values) => rules.flatMap((rule) => rule(values))

const sameSite: Rule = ({ cookie }) =>
  cookie?.same_site === "None" && !cookie.secure
    ? [{ path: ["cookie", "same_site"], wanted: '"Lax" or "Strict", since browsers accept "None" only with cookie.secure' }]
    : []

const passwordLengths: Rule = ({ email_password }) =>
  email_password !== undefined && email_password.max_password_length < email_password.min_password_length
    ? [{ path: ["email_password", "max_password_length"], wanted: `at least min_password_length, ${email_password.min_password_length}` }]
    : []

/** RFC 9106 section 3.1 requires 8 KiB of memory for each lane. */
const hashMemory: Rule = ({ email_password }) =>
  email_password !== undefined && email_password.hash.memory_kib < 8 * email_password.hash.lanes
    ? [{ path: ["email_password", "hash", "memory_kib"], wanted: `at least 8 for each lane, ${8 * email_password.hash.lanes}` }]
    : []

const proxies: Rule = ({ trusted_proxies = [] }) =>
  trusted_proxies.flatMap((network, index) => {
    const [address = "", bits] = network.split("/")
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return Number(bits) <= longest ? [] : [{ path: ["trusted_proxies", index], wanted: "a network such as 10.0.0.0/8" }]
  })

/** What the links contain that are not for a mailed token. */
const linkParts: Readonly<Record<string, string>> = {
  invitation: "{invitation_id}",
  sign_in: "{return_to}",
  create_account: "{return_to}",
  choose_account: "{request_uri}",
  choose_organization: "{request_uri}",
  consent: "{request_uri}",
  sign_up: "",
  existing_account: "",
  security: "",
  sign_out: "{logout_request}",
  device: "{user_code}",
}

const linkTemplates: Rule = ({ links = {} }) =>
  Object.entries(links).flatMap(([page, template]) => {
    const part = linkParts[page] ?? "{token}"
    const isUrl = URL.canParse(template.replaceAll(/\{\w+\}/g, "x"))
    if (isUrl && template.includes(part)) return []
    const example = "https://app.example.com/page"
    const wanted = part === "" ? `a URL, such as ${example}` : `a URL with ${part} in it, such as ${example}?${part.slice(1, -1)}=${part}`
    return [{ path: ["links", page], wanted }]
  })

const selections: Rule = (values) =>
  (["store", "mail", "sms", "key_management"] as const).flatMap((section) => {
    const settings = values[section]
    if (settings === undefined) return []
    const faults = adapterOf<unknown>(adapters[section], settings).faults?.(settings) ?? []
    return faults.map(({ path, wanted }) => ({ path: [section, ...path], wanted }))
  })

const shells: Rule = ({ rest, graphql }) =>
  rest?.enabled === false && graphql?.enabled === false
    ? [{ path: ["rest", "enabled"], wanted: "true, because graphql.enabled is false and the service would serve nothing" }]
    : []

const healthPaths: Rule = ({ graphql }) =>
  graphql?.path === "/healthz" || graphql?.path === "/readyz"
    ? [{ path: ["graphql", "path"], wanted: "a path other than those of the health checks, /healthz and /readyz" }]
    : []

/** A page of another origin could not call the service, nor be returned to. */
const pageRoutes: Rule = ({ pages, public_url, trusted_origins }) => {
  if (pages === undefined || public_url === undefined || trusted_origins === undefined) return []
  const trustOf = makeOriginClassifier(public_url, trusted_origins)
  return Object.entries(pages.routes).flatMap(([name, route]) => {
    const trust = trustOf(new URL(route).origin)
    return trust === "own" || trust === "trusted"
      ? []
      : [{ path: ["pages", "routes", name], wanted: "a page of public_url, or of an origin in trusted_origins" }]
  })
}

/** Otherwise the password of an administrator alone would give the whole service to an attacker. */
const consoleFactors: Rule = ({ pages, modules, public_url }) => {
  if (pages?.admin === undefined || modules === undefined || public_url === undefined) return []
  if (!Object.hasOwn(modules, "admin")) return [{ path: ["modules", "admin"], wanted: "an object, because pages.admin is set" }]
  const { required = "none" } = (Reflect.get(modules, "two_factor") ?? {}) as { readonly required?: string }
  return required !== "none" || isLocal(new URL(public_url))
    ? []
    : [
        {
          path: ["modules", "two_factor", "required"],
          wanted: '"admins" or "everyone", because pages.admin is set and public_url is not on this machine',
        },
      ]
}

/** Workers share nothing but the database. */
const workers: Rule = ({ listen, store, rate_limit, telemetry }) => {
  if (listen === undefined || listen.workers === 1) return []
  const faults: Array<Fault> = []
  if (store !== undefined && !storeOf(store).isShared)
    faults.push({ path: ["listen", "workers"], wanted: `1, because only one process can use a store of the kind "${store.kind}"` })
  if (rate_limit?.enabled && rate_limit.store === "memory")
    faults.push({ path: ["rate_limit", "store"], wanted: '"store" or "redis", because the requests to all listen.workers count together' })
  const lastPort = (telemetry?.metrics?.port ?? 0) + listen.workers - 1
  if (lastPort > 65_535)
    faults.push({
      path: ["telemetry", "metrics", "port"],
      wanted: `at most ${65_536 - listen.workers}, because each worker has its own port`,
    })
  return faults
}

const redis: Rule = ({ rate_limit, redis }) =>
  rate_limit?.store === "redis" && redis === undefined
    ? [{ path: ["redis"], wanted: 'an object with the key "url", or REDIS_URL, because rate_limit.store is "redis"' }]
    : []

/** Without a proof of the address, a visitor could sign up with an invited or allowed address of another person. */
const provenAddresses: Rule = ({ registration, email_password }) => {
  if (email_password === undefined || !email_password.enabled || email_password.require_email_verification) return []
  const reason = registration?.mode === "invited" ? 'registration.mode is "invited"' : "registration.email.allow is set"
  return registration?.mode === "invited" || registration?.email.allow !== undefined
    ? [{ path: ["email_password", "require_email_verification"], wanted: `true, because ${reason}` }]
    : []
}

/** Milliseconds for which a known code can work where others reach the service. */
const longestTest = 30 * 86_400_000
const isEmail = Schema.is(Email)

const testUsers: Rule = ({ test_users, public_url }) => {
  if (test_users === undefined || public_url === undefined) return []
  const { codes, valid_until } = test_users
  const unknown = Object.keys(codes)
    .filter((name) => !/^\+[1-9]\d{6,14}$/.test(name) && !(isEmail(name) && addressTyped(name) === name))
    .map((name) => ({
      path: ["test_users", "codes", name],
      wanted: "an address in lower case, or a number such as +442079460018, as the key",
    }))
  const isSoon = valid_until !== undefined && valid_until.epochMilliseconds <= Date.now() + longestTest
  if (isSoon || isLocal(new URL(public_url))) return unknown
  return [
    ...unknown,
    { path: ["test_users", "valid_until"], wanted: "a time at most 30 days ahead, because public_url is not on this machine" },
  ]
}

const refusedDomains: Rule = ({ registration }) =>
  (registration?.email.lists ?? []).flatMap((path, index) => {
    const wanted = listFault(path)
    return wanted === undefined ? [] : [{ path: ["registration", "email", "lists", index], wanted }]
  })

/** GraphQL names members in its own way. */
const doubleNames = (names: ReadonlyArray<string>) =>
  names
    .filter((name, at) => names.findIndex((other) => memberName(other) === memberName(name)) < at)
    .map((name) => ({ path: [name], wanted: `another name, because GraphQL has one for both, ${memberName(name)}` }))

const attributesOf =
  (section: "organizations" | "members"): Rule =>
  ({ [section]: group, modules }) => {
    const found = group?.attributes ?? {}
    const lacking =
      Object.keys(found).length > 0 && modules !== undefined && !("organization" in modules)
        ? [{ path: [section, "attributes"], wanted: "modules.organization as well" }]
        : []
    const faults = [...groupFaults(found), ...doubleNames(Object.keys(found))]
    return [...lacking, ...faults.map(({ path, wanted }) => ({ path: [section, "attributes", ...path], wanted }))]
  }

const attributes: Rule = ({ users }) => {
  const found = users?.attributes ?? {}
  const reserved = Object.entries(found)
    .filter(([name, { claims }]) => claims !== undefined && (scopeOfClaim(name) !== undefined || protocolClaims.includes(name)))
    .map(([name]) => ({ path: [name, "claims"], wanted: "no such key, because OpenID Connect has a claim of this name" }))
  return [...attributeFaults(found), ...reserved, ...doubleNames(Object.keys(found))].map(({ path, wanted }) => ({
    path: ["users", "attributes", ...path],
    wanted,
  }))
}

const wrapping = kindsOf(adapters.key_management.filter(({ kind }) => kind !== local.kind))

/** A wrapped secret is not secret, so it must not be used as one. */
const wrappedSecrets: Rule = ({ secret, key_management }) =>
  secret !== undefined && key_management?.kind === local.kind && Array.ensure(secret).some(isWrapped)
    ? [{ path: ["key_management", "kind"], wanted: `${wrapping}, because a secret is wrapped` }]
    : []

const rules: ReadonlyArray<Rule> = [
  wrappedSecrets,
  provenAddresses,
  refusedDomains,
  testUsers,
  attributes,
  attributesOf("organizations"),
  attributesOf("members"),
  redis,
  workers,
  pageRoutes,
  consoleFactors,
  shells,
  healthPaths,
  sameSite,
  passwordLengths,
  hashMemory,
  proxies,
  linkTemplates,
  selections,
]

/** The faults that modules find in combinations of valid settings, their own and those of the core. */
export const moduleFaults = (values: Partial<Values>, definitions: ReadonlyArray<ExtraDefinition>, all: Owned): ReadonlyArray<Fault> => {
  const { modules } = values
  if (modules === undefined || !hasCore(values)) return []
  const { sms, ...others } = values
  const rest = sms?.kind === undefined ? others : { ...others, sms }
  const enabled = definitions.filter(({ name }) => Object.hasOwn(modules, name))
  return enabled.flatMap(({ name, faults }) =>
    faults(Reflect.get(modules, name), rest, all).map(({ path, wanted }) => ({ path: ["modules", name, ...path], wanted })),
  )
}

/** These have no value unless they are configured. */
const { registration: _, test_users: _users, ...present } = coreFields

const hasCore = (values: Partial<Values>): values is Partial<Values> & SettingsValue =>
  Object.keys(present).every((key) => Object.hasOwn(values, key))
