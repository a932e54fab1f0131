import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { entriesOf } from "../../../adapters/config/entries.ts"
import { load } from "../../../adapters/config/load.ts"
import { colours } from "../../../adapters/pages/theme.ts"
import { optional } from "../../../application/modules/index.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-messages-"))
afterAll(() => rmSync(folder, { recursive: true }))

const faultsOf = Effect.fnUntraced(function* (config: unknown) {
  writeFileSync(join(folder, "config.json"), JSON.stringify(config))
  return yield* load({ file: "config.json", directory: folder, environment: {} }, optional).pipe(
    Effect.match({ onSuccess: () => [] as ReadonlyArray<string>, onFailure: ({ faults }) => faults }),
  )
})

const hidden = "hunter2hunter2hunter2hunter2hunter2"
const public_url = "https://id.example.com"

const provider = {
  preset: "idp_one",
  id: "acme",
  client_id: "us",
  client_secret: hidden,
  redirect_uri: `${public_url}/api/auth/oauth/callback`,
  authorize_url: "https://acme.example/authorize",
  token_url: "https://acme.example/token",
  userinfo_url: "https://acme.example/userinfo",
  scopes: ["openid"],
  map_user: { account_id: "sub", email: "email", email_verified: "email_verified", name: ["name", "login"] },
  trust_email: "when_verified",
  issuer: "https://acme.example",
  success_redirect: "/",
}
const codes = { length: 6, ttl: 300, max_attempts: 3, disable_signup: false }
const budget = { limit: 1, window: 1 }

/** Every key of the configuration, with a valid value. */
/** Those of other types than `string` have no effect. */
const keywords = {
  ...{ enum: ["a@example.com"], const: "a@example.com", minLength: 1, maxLength: 80, pattern: "^a", format: "email" },
  ...{ minimum: 0, maximum: 1, exclusiveMinimum: 0, exclusiveMaximum: 1, title: "Plan", description: "The plan of the user" },
}

const everything = {
  secret: [hidden],
  environment: "override",
  client_address: "peer",
  key_management: {
    ...{ kind: "vault", url: "https://vault.example.com", token: hidden, key: "sallyport", mount: "transit", namespace: "team" },
    context: "sallyport",
  },
  public_url,
  base_path: "/api/auth",
  listen: { host: "127.0.0.1", port: 3000, drain_delay: 5, drain: 20, workers: 1 },
  trusted_origins: ["https://app.example.com"],
  trusted_proxies: ["10.0.0.0/8"],
  max_body_bytes: 1000,
  request_timeout: 10,
  store: { kind: "embedded", directory: "data", session_cache: 1000 },
  redis: { url: `redis://:${hidden}@redis.example.com` },
  mail: { kind: "smtp", url: `smtp://me:${hidden}@mail.example.com`, from: "me@example.com", dkim_selector: "s1" },
  sms: {
    kind: "webhook",
    url: `https://sms.example.com/${hidden}`,
    secret: `whsec_${"aaaa".repeat(8)}`,
    headers: { authorization: hidden },
  },
  links: Object.fromEntries(
    [
      "existing_account",
      "security",
      "sign_in",
      "create_account",
      "choose_account",
      "choose_organization",
      "consent",
      "sign_out",
      "device",
      "verify_email",
      "reset_password",
      "choose_password",
      "change_email",
      "magic_link",
      "invitation",
      "sign_up",
      "report_sign_in",
    ].map((page) => [
      page,
      `https://app.example.com/${page}?in={${({ invitation: "invitation_id", sign_in: "return_to", create_account: "return_to", choose_account: "request_uri", choose_organization: "request_uri", consent: "request_uri", sign_out: "logout_request", device: "user_code" } as Record<string, string>)[page] ?? "token"}}`,
    ]),
  ),
  cookie: { name: "session", host_prefix: false, secure: true, http_only: true, same_site: "Lax", domain: "example.com", path: "/" },
  session: { expires_in: 1, update_age: 0, fresh_age: 1, step_up_age: 1, max_lifetime: 1, max_per_user: 1, notify_new_browser: true },
  email_password: {
    enabled: true,
    min_password_length: 8,
    max_password_length: 64,
    require_email_verification: true,
    hash: { memory_kib: 8, passes: 1, lanes: 1 },
    blocklist: "common",
    breached: { enabled: true, url: "https://pwned.example.com" },
    imported: {
      firebase: { signer_key: "c2lnbmVy", salt_separator: "Bw==", rounds: 8, mem_cost: 14 },
      devise: { pepper: hidden },
    },
  },
  account: { unverified_takeover: "keep" },
  test_users: { codes: { "reviewer@example.com": "471100" }, valid_until: "2020-01-01T00:00:00Z" },
  registration: {
    mode: "invited",
    email: {
      allow: ["example.com"],
      block: ["blocked.example.com"],
      block_disposable: true,
      block_subaddress: true,
      lists: [join(import.meta.dirname, "../refused-domains/domains.txt")],
    },
  },
  rate_limit: {
    enabled: true,
    store: "store",
    requests: budget,
    session_requests: budget,
    client_requests: budget,
    sign_in: budget,
    sign_in_total: budget,
    proofs: budget,
    messages: budget,
    invitations: budget,
    sms: budget,
    sms_country: budget,
    sms_total: budget,
    mail: budget,
    mail_total: budget,
  },
  rest: { enabled: true },
  docs: { enabled: true },
  graphql: {
    plugins: [],
    enabled: true,
    path: "/graphql",
    graphiql: true,
    introspection: true,
    max_depth: 1,
    max_aliases: 0,
    max_tokens: 1,
    max_cost: 1,
    trusted_documents: "documents.json",
    federation: true,
    gateway_secret: hidden,
  },
  pages: {
    path: "/auth",
    routes: Object.fromEntries(
      ["sign_in", "sign_up", "account", "reset_password", "verify_email", "magic_link", "invitation"].map((page) => [
        page,
        `https://app.example.com/${page}`,
      ]),
    ),
    sign_in: { order: ["passkey"], hidden: ["wallet"], identifier_first: true },
    offer_passkeys: true,
    places: { "10.0.0.0/8": "Office" },
    admin: { path: "/admin", label: "Production", max_age: 60, networks: ["10.0.0.0/8"], live: false },
  },
  branding: {
    name: "Example",
    logo: "logo.svg",
    logo_dark: "logo-dark.svg",
    favicon: "favicon.ico",
    colors: Object.fromEntries(Object.keys(colours).map((name) => [name, { light: "#123456", dark: "#abcdef" }])),
    radius: "8px",
    font: "sans-serif",
    links: { terms: "https://example.com/terms", privacy: "https://example.com/privacy", support: "mailto:help@example.com" },
    css: "own.css",
  },
  texts: { de: { or: "oder auch" } },
  log: { level: "info", format: "json" },
  telemetry: {
    metrics: { host: "127.0.0.1", port: 9464 },
    traces: { url: "http://localhost:4318/v1/traces", sample: 0.5, headers: { authorization: hidden } },
  },
  modules: {
    ...Object.fromEntries(
      optional.map(({ name, settings }) => [name, Option.getOrElse(Schema.decodeUnknownOption(settings)({}), () => ({}))]),
    ),
    admin: {
      admin_emails: ["ada@example.com"],
      admin_user_ids: ["1"],
      require_verified_email: true,
      require_versions: true,
      jobs: true,
      exports: true,
      erasures: true,
      merges: true,
      operations: true,
      step_up: true,
      required_actions: true,
      suspension: true,
      roles: { auditor: ["audit:read"] },
    },
    audit: { keep: 60, keep_changes: 60, organization_roles: ["owner"] },
    bearer: { redirects: ["com.example.app:/auth"] },
    email_otp: codes,
    events: {
      webhooks: [{ id: "siem", url: "https://siem.example.com/events", types: ["session.*"], secrets: [`whsec_${"A".repeat(32)}`] }],
      allow_private_addresses: true,
      max_webhooks: 1,
      operations: true,
    },
    idp: {
      allow_private_addresses: false,
      clients: [
        {
          client_id: "wiki",
          client_secret: hidden,
          redirect_uris: ["https://wiki.example.com/callback"],
          scopes: ["openid"],
          id_token_signed_response_alg: "RS256",
          token_endpoint_auth_method: "client_secret_jwt",
          jwks: null,
          assertion_audience: "endpoint",
          require_pkce: true,
          require_pushed_authorization_requests: true,
          refresh_tokens: true,
          access_token_format: "jwt",
          userinfo_signed_response_alg: "ES256",
          subject_type: "pairwise",
          sector_identifier_uri: "https://example.com/sector.json",
          resource_server: true,
          service_account: "an id",
          access_token_ttl: 60,
          dpop_bound_access_tokens: true,
          security_profile: null,
          jwks_uri: "https://wiki.example.com/keys",
          grant_types: ["authorization_code", "client_credentials"],
          resources: ["https://api.example.com"],
          require_signed_request_object: true,
          introspection_signed_response_alg: "ES256",
          consent: true,
          accepts_impersonation: true,
          client_name: "Wiki",
          client_uri: "https://wiki.example.com",
          logo_uri: "https://wiki.example.com/logo.svg",
          policy_uri: "https://wiki.example.com/privacy",
          tos_uri: "https://wiki.example.com/terms",
          post_logout_redirect_uris: ["https://wiki.example.com/signed-out"],
          backchannel_logout_uri: "https://wiki.example.com/logout",
          frontchannel_logout_uri: "https://wiki.example.com/frame",
          frontchannel_logout_session_required: true,
          tls_client_auth_subject_dn: null,
          tls_client_auth_san_dns: null,
          tls_client_auth_san_uri: null,
          tls_client_auth_san_ip: null,
          tls_client_auth_san_email: null,
          tls_client_certificate_bound_access_tokens: true,
        },
      ],
      registration_tokens: ["an-initial-access-token-of-forty-characters"],
      code_ttl: 60,
      id_token_ttl: 60,
      refresh_token_idle_ttl: 60,
      refresh_token_ttl: 60,
      refresh_token_grace: 10,
      signing_algorithms: ["EdDSA"],
      key_rotation: 172_800,
      require_dpop_nonce: true,
      client_certificate_header: "Client-Cert",
      client_certificate_authorities: ["-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----"],
      mtls_url: "https://mtls.example.com",
      resources: [
        {
          resource: "https://files.example.com/mcp",
          aliases: ["https://files.example.com/mcp/"],
          name: "Files",
          scopes: ["files:read"],
          access_token_format: "jwt",
          access_token_ttl: 600,
        },
      ],
      metadata_clients: { allow: ["https://agent.example.com/"], deny: ["https://*.example.org/"] },
      open_registration: { native_redirect_uris: ["app://callback"] },
    },
    jwt: { algorithm: "EdDSA", expires_in: 60, issuer: "us", audience: "them" },
    magic_link: { expires_in: 60, disable_signup: true },
    multi_session: { max_sessions: 3 },
    one_time_token: { expires_in: 60 },
    organization: {
      access_control: {
        roles: { owner: { member: ["create"] } },
        hierarchy: ["owner"],
        creator_role: "owner",
        invite_default: "owner",
      },
      invitation_expires_in: 60,
      max_per_user: 1,
      max_teams: 1,
      max_invitations: 1,
    },
    passkey: { rp_id: "example.com", rp_name: "Example", origins: ["https://app.example.com"], related_origins: ["https://example.org"] },
    phone: { ...codes, countries: ["DE", "US"], default_country: "DE" },
    siwe: { domain: "app.example.com", chain_id: 1, nonce_ttl: 60 },
    social: { providers: [provider], browser_binding: "auto", timeout: 10 },
    two_factor: {
      issuer: "us",
      methods: ["totp", "email", "sms"],
      backup_code_count: 10,
      required: "admins",
      remember_browser: { days: 30 },
    },
    username: {},
  },
  extensions: [],
  users: {
    attributes: {
      plan: {
        schema: { type: "string", ...keywords, items: { type: "string", ...keywords }, minItems: 0, maxItems: 1 },
        ...{ read: "user", write: "user", unique: true, indexed: true, sign_up: true, claims: "profile" },
      },
    },
  },
  organizations: {
    attributes: {
      tier: {
        schema: { type: "string", ...keywords, items: { type: "string", ...keywords }, minItems: 0, maxItems: 1 },
        ...{ read: "user", write: "user" },
      },
    },
  },
  members: {
    attributes: {
      title: {
        schema: { type: "string", ...keywords, items: { type: "string", ...keywords }, minItems: 0, maxItems: 1 },
        ...{ read: "user", write: "user" },
      },
    },
  },
}

/** Objects with methods, which JSON cannot express: `test/adapters/assembly` has their samples. */
const codeOnly = ["http", "clock"]

/** The other kinds of settings that have a `kind`. */
const kinds = [
  {
    store: {
      kind: "postgres",
      url: `postgres://me:${hidden}@db/auth`,
      max_connections: 10,
      migrate: "never",
      prepare: true,
      schema: "auth",
      replicas: [`postgres://me:${hidden}@copy/auth`],
      partitions: false,
      replica_lag: 5,
      session_cache: 1000,
      session_cache_age: 5,
    },
    secret: hidden,
  },
  {
    store: {
      kind: "mongo",
      url: `mongodb://me:${hidden}@db/auth`,
      max_connections: 10,
      migrate: "start",
      session_cache: 0,
      session_cache_age: 5,
    },
    mail: { kind: "console" },
  },
  { store: { kind: "memory" }, mail: { kind: "none" } },
  { sms: { kind: "twilio", account_sid: `AC${"0".repeat(32)}`, auth_token: hidden, from: "+15550100" } },
  { sms: { kind: "console" } },
  {
    key_management: {
      ...{ kind: "aws", region: "eu-central-1", key_id: "alias/sallyport", access_key_id: "AKID", secret_access_key: hidden },
      ...{ session_token: hidden, endpoint: "https://kms.example.com", context: "sallyport" },
    },
  },
  { key_management: { kind: "local" } },
]
const samples = [everything, ...kinds.map((kind) => ({ secret: hidden, ...kind }))]

type Section = Readonly<Record<string, unknown>>

const isSection = (value: unknown): value is Section => typeof value === "object" && value !== null && !Array.isArray(value)

/** Replaces every value at this depth, except `kind`: the other keys depend on it. */
const changed = (sample: unknown, depth: number, value: unknown): unknown => {
  if (depth === 0) return value
  if (Array.isArray(sample)) return sample.map((own) => changed(own, depth - 1, value))
  if (!isSection(sample)) return sample
  return Object.fromEntries(Object.entries(sample).map(([key, own]) => [key, key === "kind" ? own : changed(own, depth - 1, value)]))
}

/** Modules are checked against the core only if the core's settings are valid. */
const halves = (sample: Section, depth: number, value: unknown): ReadonlyArray<unknown> => {
  const { secret, modules, ...rest } = sample
  const core = changed({ secret, ...rest }, depth, value) as Section
  return modules === undefined ? [core] : [core, { ...sample, modules: changed(modules, depth - 1, value) }]
}

const wrong = [undefined, null, true, "", " ", "zz\u0000{}", "x".repeat(300), [], [[]], [{}], [""], 0, -1, 1.5, 1e300, {}, { zzzz: 1 }]

/** One line: the key, the value found and, in words, the value wanted. */
const fault = /^[\w.@/ -]*: found .+, wanted .{4,}$/su
const technical =
  /wanted .*(RegExp|\ba value\b|\bvalid value\b|a string|Redacted|undefined|\[object|<filter>|\^|\\|Expected | & | \| |Struct|Missing key)/s

/** Every section of a sample, with its path. */
const sectionsIn = (
  value: unknown,
  path: ReadonlyArray<string> = [],
): ReadonlyArray<readonly [path: string, keys: ReadonlyArray<string>]> => [
  ...(isSection(value) ? [[path.join("."), Object.keys(value)] as const] : []),
  ...(typeof value === "object" && value !== null ? Object.entries(value).flatMap(([key, own]) => sectionsIn(own, [...path, key])) : []),
]

/** Adds an unknown key to every section. */
const withStrangers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withStrangers)
  if (!isSection(value)) return value
  return { ...Object.fromEntries(Object.entries(value).map(([key, own]) => [key, withStrangers(own)])), unheard_of: 1 }
}

describe("the message about a wrong value", () => {
  it.effect("every sample is valid", () =>
    Effect.gen(function* () {
      for (const sample of samples) expect(yield* faultsOf(sample)).toEqual([])
    }),
  )

  it.effect("the samples have every key", () =>
    Effect.gen(function* () {
      for (const sample of [everything, ...kinds.map((kind) => ({ ...everything, ...kind }))]) {
        const sections = new Map(sectionsIn(sample))
        const faults = yield* faultsOf(withStrangers(sample))
        const told = faults.flatMap((line) => {
          const [, path, keys] = line.match(/^(.*?)\.?unheard_of: found an unknown key, wanted one of (.*)$/) ?? []
          return path === undefined || keys === undefined ? [] : [[path, keys.split(", ")] as const]
        })
        expect(told.length).toBeGreaterThan(20)
        for (const [path, keys] of told) {
          const inJson = keys.filter((key) => path !== "" || !codeOnly.includes(key))
          expect(sections.get(path), path).toEqual(expect.arrayContaining(inJson))
        }
      }
    }),
  )

  it.effect("names the key, what was found and what is wanted, in words and without a secret", () =>
    Effect.gen(function* () {
      const said = new Set<string>()
      for (const sample of samples) {
        for (const depth of sample === everything ? [1, 2, 3, 4, 5, 6] : [1, 2, 3]) {
          for (const config of wrong.flatMap((value) => halves(sample, depth, value)))
            for (const line of yield* faultsOf(config)) said.add(line)
        }
      }
      expect(said.size).toBeGreaterThan(1000)
      expect([...said].filter((line) => !fault.test(line) || technical.test(line) || line.includes(hidden))).toEqual([])
    }),
  )

  it.effect.each(["store", "mail", "sms"])("an unknown kind of %s gets those there are", (section) =>
    Effect.gen(function* () {
      for (const kind of [undefined, "", "carrier pigeon", 3]) {
        const [line, ...more] = yield* faultsOf({ secret: hidden, [section]: { kind } })
        expect(line).toMatch(new RegExp(`^${section}\\.kind: found .+, wanted ("\\w+"(, | or )?)+$`))
        expect(more).toEqual([])
      }
    }),
  )
})

it("administrators see no secret, address, phone number or query of any setting", () => {
  for (const sample of [everything, ...kinds.map((kind) => ({ ...everything, ...kind }))]) {
    const entries = entriesOf({ raw: sample, sources: new Map([["session.expires_in", "SALLYPORT_SESSION__EXPIRES_IN"]]) }, optional)
    const text = JSON.stringify(entries)
    expect(entries.length).toBeGreaterThan(200)
    expect(text).not.toContain(hidden)
    expect(text).not.toMatch(/@|whsec_|aaaa|c2lnbmVy|\?|hunter|471100/)
    expect(entries.find(({ path }) => path === "session.expires_in")).toMatchObject({ value: "1", source: "variable" })
    expect(entries.find(({ path }) => path === "public_url")).toMatchObject({ value: expect.stringMatching(/^"https?:/), source: "file" })
    const secrets = entries.filter(({ secret, value }) => secret && value !== null)
    expect(new Set(secrets.map(({ value }) => value))).toEqual(new Set(["set"]))
    expect(secrets.map(({ path }) => path)).toContain("secret")
  }
})

it("administrators see a URL without user, password and query", () => {
  const url = `https://me:${hidden}@id.example.com/auth?key=${hidden}`
  const entries = entriesOf({ raw: { ...everything, public_url: url }, sources: new Map() }, optional)
  expect(entries.find(({ path }) => path === "public_url")?.value).toBe('"https://id.example.com/auth"')
})
