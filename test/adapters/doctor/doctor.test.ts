import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Console, Effect, Exit, Redacted, Result, Runtime, Schema } from "effect"
import type { Configuration } from "../../../adapters/config/load.ts"
import { ConfigurationFault } from "../../../adapters/configuration-faults.ts"
import { doctor, misconfigured, type Options, offlineChecks, portCheck } from "../../../adapters/doctor/doctor.ts"
import type { HashMachine } from "../../../adapters/doctor/hash.ts"
import * as GraphqlSettings from "../../../adapters/graphql/settings.ts"
import { decode as decodeHttp } from "../../../adapters/http/settings.ts"
import { Branding } from "../../../adapters/pages/settings.ts"
import * as Passwords from "../../../adapters/passwords/settings.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { social } from "../../../application/modules/social/index.ts"
import { StoreUnavailable } from "../../../domain/ports/store.ts"
import type { SealedCount } from "../../../domain/secrets/sealed-counts.ts"
import { decode } from "../../../domain/settings.ts"
import { configured as provider } from "../../application/modules/social/provider.ts"
import { owned } from "../../owned.ts"
import { always, gateway } from "../sms/server.ts"

interface Setup {
  readonly file?: string | null
  readonly settings?: Readonly<Record<string, unknown>>
  readonly mail?: Configuration["mail"]
  readonly sms?: Configuration["sms"]
  readonly store?: Configuration["store"]
  readonly needsSms?: boolean
  readonly modules?: Configuration["modules"]
  readonly machine?: Partial<HashMachine>
  readonly options?: Partial<Options>
  /** Why the database cannot be reached. */
  readonly away?: Error & { readonly code?: unknown }
  /** The state of a database that can be reached. */
  readonly has?: {
    readonly due: number
    /** How many of the changes create a table; the service has two. */
    readonly created?: number
    readonly unused: ReadonlyArray<string>
    readonly unreadable?: number
    readonly sealed?: ReadonlyArray<SealedCount>
    readonly stored?: ReadonlyArray<{ readonly module: string; readonly severity: "note" | "warning"; readonly text: string }>
  }
}

/** The lines that the doctor prints, and its exit code. */
const report = Effect.fnUntraced(function* <A, E>(run: Effect.Effect<A, E>) {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => lines.push(line) }
  const exit = yield* Effect.exit(Effect.provideService(run, Console.Console, console))
  const code = Exit.isSuccess(exit)
    ? 0
    : Runtime.getErrorExitCode(exit.cause.reasons.map((reason) => ("error" in reason ? reason.error : reason))[0])
  return { lines, code }
})

const configured = Effect.fnUntraced(function* ({
  file = null,
  settings = {},
  mail = { kind: "none" },
  sms = { kind: "none" },
  store = { kind: "memory" },
  needsSms = false,
  modules = [],
}: Setup) {
  const configuration: Configuration = {
    file,
    files: [],
    phoneCountry: undefined,
    codeDigits: { email: null, phone: null },
    raw: {},
    sources: new Map(),
    hash: "",
    settings: yield* Effect.orDie(decode(settings)),
    httpSettings: yield* Effect.orDie(decodeHttp(settings)),
    passwords: Schema.decodeUnknownSync(Passwords.Settings)(settings["email_password"] ?? {}),
    branding: Schema.decodeUnknownSync(Branding)({}),
    secrets: Effect.succeed([Redacted.make("x".repeat(32))]),
    key_management: { kind: "local" },
    plainSecrets: 1,
    listen: { host: "127.0.0.1", port: 0, drain_delay: 0, drain: 0, workers: 1 },
    log: { level: "info" },
    telemetry: {},
    rest: { enabled: true },
    graphql: yield* Effect.orDie(GraphqlSettings.decode({})),
    docs: {},
    texts: {},
    providers: [],
    accessControl: null,
    events: null,
    identityProvider: null,
    apiKeys: null,
    modules,
    hasExtensions: false,
    owned,
    mail,
    sms,
    needsSms,
    store,
  }
  return configuration
})

/** A machine with two threads and 16 GiB that hashes 1 MiB in each pass in half a millisecond. */
const hashMachine: HashMachine = {
  hashTime: ({ memory_kib, passes }) => Effect.succeed((memory_kib * passes) / 2048),
  threads: 2,
  memory: 16 * 2 ** 30,
}

const changeOf = (creates: boolean) => ({ statement: "…", ...(creates ? { newTable: "note" } : {}) })

const examine = Effect.fnUntraced(function* ({ away: cause = new Error("gone"), has, machine, options, ...setup }: Setup) {
  const away = Effect.fail(new StoreUnavailable({ cause }))
  const plan = has === undefined ? away : Effect.succeed(Array.from({ length: has.due }, (_, at) => changeOf(at < (has.created ?? 0))))
  const unused = has === undefined ? away : Effect.succeed(has.unused)
  const column = "two_factor.secret"
  const unreadable = Effect.succeed(has?.unreadable === undefined ? [] : [{ column, count: has.unreadable, more: false }])
  return yield* report(
    doctor(
      yield* configured(setup),
      {
        declared: 2,
        plan,
        unused,
        unreadable,
        sealedCounts: Effect.succeed(has?.sealed ?? []),
        stored: Effect.succeed(has?.stored ?? []),
        upkeep,
      },
      { ...hashMachine, ...machine },
      { json: false, hashTime: undefined, ...options },
      Effect.succeed([]),
    ),
  )
})

const upkeep = Effect.succeed({ backup: undefined, auditLog: undefined, hasAudit: false, secretSince: null })

const store = {
  kind: "postgres",
  url: Redacted.make("postgres://x"),
  max_connections: 1,
  migrate: "start",
  prepare: true,
  replicas: [],
  partitions: false,
  replica_lag: 5,
  session_cache: 0,
  session_cache_age: 5,
} as const

it.effect("prints one line per check and exits with 0 when every check succeeds", () =>
  Effect.gen(function* () {
    const { lines, code } = yield* examine({})
    expect(lines).toEqual([
      "ok     configuration: no file; every key is known and valid",
      "ok     secret: long enough",
      "ok     store: in memory, all data is lost when the process ends",
      "ok     mail: mail is not sent",
      "ok     sms: messages are not sent",
      "ok     rate_limit: counted in each process separately",
      "ok     public_url: http://localhost:3000 suits the cookie's settings",
    ])
    expect(code).toBe(0)
  }),
)

it.effect("names the configuration file first", () =>
  Effect.gen(function* () {
    const { lines } = yield* examine({ file: "/srv/sallyport.config.ts" })
    expect(lines[0]).toBe("ok     configuration: /srv/sallyport.config.ts; every key is known and valid")
  }),
)

describe("the password hash", () => {
  const lineOf = (check: string, setup: Setup) =>
    Effect.map(examine(setup), ({ lines, code }) => [lines.find((line) => line.includes(` ${check}: `)), code] as const)
  const withHash = (hash: object): Setup => ({ settings: { email_password: { enabled: true, hash } } })

  it.effect("is measured with the configured cost, if there are passwords", () =>
    Effect.gen(function* () {
      expect(yield* lineOf("password_hash", withHash({}))).toEqual([
        'ok     password_hash: one hash with {"memory_kib":19456,"passes":2,"lanes":1} takes 19 ms, so at most 105 sign-ins a second with 2 threads',
        0,
      ])
      expect(yield* lineOf("password_hash", {})).toEqual([undefined, 0])
    }),
  )

  it.effect("that is weaker than OWASP recommends is reported as such", () =>
    Effect.gen(function* () {
      const remark = "; OWASP recommends more, at least 19456 KiB with 2 passes"
      expect((yield* lineOf("password_hash", withHash({ memory_kib: 19_455 })))[0]).toContain(remark)
      expect((yield* lineOf("password_hash", withHash({ memory_kib: 12_288, passes: 3 })))[0]).not.toContain(remark)
    }),
  )

  it.effect("has a suggestion for a time: the strongest cost that takes less", () =>
    Effect.gen(function* () {
      const suggested = (hashTime: number, more: Setup = {}) => lineOf("hash_time", { ...more, options: { hashTime } })
      expect(yield* suggested(250)).toEqual([
        'ok     hash_time: the strongest measured cost below 250 ms is {"email_password":{"hash":{"memory_kib":196608,"passes":2,"lanes":1}}}, one hash takes 192 ms, so at most 10 sign-ins a second with 2 threads',
        0,
      ])
      expect((yield* suggested(192))[0]).toContain('"memory_kib":131072,"passes":2')
      expect((yield* suggested(513))[0]).toContain('"memory_kib":262144,"passes":4')
      expect((yield* suggested(20))[0]).toContain('"memory_kib":19456,"passes":2')
    }),
  )

  it.effect("is not suggested below what OWASP recommends: a fault", () =>
    Effect.gen(function* () {
      expect(yield* lineOf("hash_time", { options: { hashTime: 19 } })).toEqual([
        'error  hash_time: even {"memory_kib":19456,"passes":2,"lanes":1}, the least that OWASP recommends, takes 19 ms here, which is not below 19 ms; do not choose a weaker one',
        1,
      ])
    }),
  )

  it.effect("takes at most a quarter of the memory with all hashes that run at once", () =>
    Effect.gen(function* () {
      const memory = 4 * 2 * 65_536 * 1024
      const options = { hashTime: 1000 }
      expect((yield* lineOf("hash_time", { options, machine: { memory } }))[0]).toContain('"memory_kib":65536,"passes":10')
      expect((yield* lineOf("hash_time", { options, machine: { memory: memory - 1 } }))[0]).toContain('"memory_kib":47104,"passes":10')
      expect((yield* lineOf("hash_time", { options, machine: { memory: 0 } }))[0]).toContain('"memory_kib":19456,"passes":10')
    }),
  )
})

it.effect("--json prints an object for each check, with the figures of the hash", () =>
  Effect.gen(function* () {
    const options = { json: true, hashTime: 19 }
    const { lines, code } = yield* examine({ settings: { email_password: { enabled: true } }, options })
    const found = lines.map((line) => JSON.parse(line))
    expect(found[1]).toEqual({ check: "secret", level: "ok", ok: true, text: "long enough" })
    expect(found.find(({ check }) => check === "password_hash")).toEqual({
      check: "password_hash",
      level: "ok",
      ok: true,
      text: expect.stringContaining("takes 19 ms"),
      hash: { memory_kib: 19_456, passes: 2, lanes: 1 },
      milliseconds: 19,
      threads: 2,
      sign_ins_per_second: 105,
    })
    expect(found.find(({ check }) => check === "hash_time")).toEqual({
      check: "hash_time",
      level: "error",
      ok: false,
      text: expect.stringContaining("even"),
    })
    expect(code).toBe(1)
  }),
)

describe("passwords", () => {
  const lastLine = (email_password: object) =>
    Effect.map(examine({ settings: { email_password: { enabled: true, ...email_password } } }), ({ lines }) => lines.at(-1))

  it.effect("common ones are reported as accepted, with the setting that refuses them", () =>
    Effect.gen(function* () {
      expect(yield* lastLine({})).toBe('ok     passwords: common passwords are accepted; email_password.blocklist "common" is recommended')
      expect(yield* lastLine({ blocklist: "common" })).toBe("ok     passwords: common passwords are refused")
    }),
  )

  it.live("breached ones: a fault when the list does not answer", () =>
    Effect.gen(function* () {
      const { origin } = yield* gateway(always(200, `${"0".repeat(35)}:1`))
      expect(yield* lastLine({ blocklist: "common", breached: { enabled: true, url: origin } })).toBe(
        "ok     passwords: common passwords are refused, and the list of breached passwords answers",
      )
      const broken = yield* gateway(always(503))
      expect(yield* lastLine({ breached: { enabled: true, url: broken.origin } })).toBe(
        "error  passwords: breached passwords are not detected (the answer was 503); email_password.breached.url names the list",
      )
    }),
  )
})

it.effect("runs the other checks when one fails, and exits with 1", () =>
  Effect.gen(function* () {
    const { lines, code } = yield* examine({ store })
    expect(lines).toContain("error  store: cannot be reached (gone; store.url or DATABASE_URL names it)")
    expect(lines.length).toBe(7)
    expect(code).toBe(1)
  }),
)

it.effect.each([
  ["28P01", 'password authentication failed for user "x"', "cannot be used (%; store.url or DATABASE_URL names it)"],
  ["3D000", 'database "x" does not exist', "cannot be used (%; create it, or change store.url or DATABASE_URL)"],
  [18, "Authentication failed.", "cannot be used (%; store.url or DATABASE_URL names it)"],
  ["EPIPE", "write EPIPE", "cannot be reached (%; store.url or DATABASE_URL names it)"],
] as const)("distinguishes a database that refuses (%s) from one that is unreachable", ([code, message, expected]) =>
  Effect.gen(function* () {
    const { lines } = yield* examine({ store, away: Object.assign(new Error(message), { code }) })
    expect(lines[2]).toBe(`error  store: ${expected.replace("%", message)}`)
  }),
)

it.effect("reports values sealed by a removed secret once the tables are up to date", () =>
  Effect.gen(function* () {
    const secretLine = (has: Setup["has"]) => Effect.map(examine({ store, ...(has ? { has } : {}) }), ({ lines }) => lines[1])
    expect(yield* secretLine({ due: 0, unused: [], unreadable: 2 })).toMatch(
      /^error {2}secret: none of the listed secrets can decrypt 2 values of two_factor\.secret; .*`npm start -- secret rotate`/,
    )
    for (const has of [{ due: 0, unused: [] }, { due: 1, unused: [], unreadable: 2 }, undefined])
      expect(yield* secretLine(has)).toBe("ok     secret: long enough")
  }),
)

it.effect("reports a role that lacks rights in one line", () =>
  Effect.gen(function* () {
    const url = Redacted.make("postgres://app%2Drole:hunter2@one:5432,two:5432/x")
    const view = {
      declared: 2,
      plan: Effect.succeed([]),
      unused: Effect.succeed([]),
      sealedCounts: Effect.succeed([]),
      stored: Effect.succeed([]),
      upkeep,
    }
    const cause = Object.assign(new Error("permission denied for table two_factor"), { code: "42501" })
    const unreadable = Effect.die({ reason: { cause } })
    const options = { json: false, hashTime: undefined }
    const configuration = yield* configured({ store: { ...store, url } })
    const { lines, code } = yield* report(doctor(configuration, { ...view, unreadable }, hashMachine, options, Effect.succeed([])))
    expect(lines.slice(1, 3)).toEqual([
      "ok     secret: long enough",
      "error  store: the role app-role lacks rights (permission denied for table two_factor)",
    ])
    expect(code).toBe(1)
  }),
)

it.effect("counts the stored values for each secret, and says when an older one has to stay", () =>
  Effect.gen(function* () {
    const secretLine = (sealed: ReadonlyArray<SealedCount>) =>
      Effect.map(examine({ store, has: { due: 0, unused: [], sealed } }), ({ lines }) => lines[1])
    const [newest, older, without] = [
      { id: "newestid", count: 10_000, more: true },
      { id: "older_id", count: 3, more: false },
      { id: null, count: 1, more: false },
    ]
    const ok = "ok     secret: long enough"
    const remedy = "; run `npm start -- secret rotate` before you remove an older secret"
    expect(yield* secretLine([newest])).toBe(`${ok}; stored values: 10000 or more under the key newestid`)
    expect(yield* secretLine([newest, older, without])).toBe(
      `${ok}; stored values: 10000 or more under the key newestid, 3 under the key older_id, 1 without a key id${remedy}`,
    )
    expect(yield* secretLine([newest, { ...older, count: 0 }, { ...without, count: 0 }])).toBe(
      `${ok}; stored values: 10000 or more under the key newestid, 0 under the key older_id`,
    )
  }),
)

describe("settings for development", () => {
  const faultsAt = (public_url: string, needsSms: boolean) =>
    Effect.map(examine({ settings: { public_url }, mail: { kind: "console" }, sms: { kind: "console" }, needsSms }), ({ lines }) =>
      lines.filter((line) => line.startsWith("error")).map((line) => line.slice(7)),
    )
  const missing = "and https://id.example.com is not this machine"
  const always = [
    `store: in memory, all data is lost when the process ends, ${missing}: change store`,
    `mail: mail is printed, not delivered, ${missing}: change mail`,
  ]

  it.effect("are faults where public_url is not on this machine", () =>
    Effect.gen(function* () {
      expect(yield* faultsAt("https://id.example.com", false)).toEqual(always)
      expect(yield* faultsAt("https://id.example.com", true)).toEqual([
        ...always,
        `sms: messages are printed, not delivered, ${missing}: change sms`,
      ])
      for (const local of ["http://localhost:3000", "http://id.localhost:3000", "http://127.0.0.1:3000"])
        expect(yield* faultsAt(local, true)).toEqual([])
    }),
  )

  it.effect("are reported at the start too, without a connection to the mail server", () =>
    Effect.gen(function* () {
      const configuration = yield* configured({ settings: { public_url: "https://id.example.com" }, mail: { kind: "console" } })
      const faults = (configuration: Configuration) =>
        Effect.map(Effect.all(offlineChecks(configuration).map(Effect.result)), (results) =>
          results.filter(Result.isFailure).map(({ failure }) => failure),
        )
      expect(yield* faults(configuration)).toEqual(always.map((line) => line.replace(/^\w+: /, "")))
      const smtp = { kind: "smtp", url: Redacted.make("smtp://127.0.0.1:1"), from: "me@example.com" } as const
      expect(yield* faults({ ...configuration, mail: smtp })).toHaveLength(1)
    }),
  )
})

describe("findings of modules about their settings", () => {
  const administration = (settings: object) => admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
  const linesOf = (modules: Configuration["modules"], public_url = "https://id.example.com") =>
    Effect.map(examine({ settings: { public_url }, modules }), ({ lines }) => lines.filter((line) => line.includes(" modules.")))

  it.effect("lists the addresses whose first claimant becomes an administrator", () =>
    Effect.gen(function* () {
      const admin_emails = ["root@example.com", "second@example.com"]
      const claimable =
        "the first person to sign up as root@example.com or second@example.com is an administrator, without a verified address"
      const open = administration({ admin_emails, require_verified_email: false })
      expect(yield* linesOf([open])).toEqual([`error  modules.admin: ${claimable}: set modules.admin.require_verified_email to true`])
      expect(yield* linesOf([open], "http://localhost:3000")).toEqual([
        `ok     modules.admin: ${claimable}, since public_url is on this machine`,
      ])
      for (const settings of [{ admin_emails }, { admin_emails, require_verified_email: true }, { require_verified_email: false }])
        expect(yield* linesOf([administration(settings)])).toEqual([])

      const configuration = yield* configured({ settings: { public_url: "https://id.example.com" }, modules: [open] })
      const results = yield* Effect.all(offlineChecks(configuration).map(Effect.result))
      expect(results.filter(Result.isFailure).map(({ failure }) => failure)).toContain(
        `${claimable}: set modules.admin.require_verified_email to true`,
      )
    }),
  )

  it.effect("warns about test users, unless only this machine reaches the service", () =>
    Effect.gen(function* () {
      const test_users = { codes: { "reviewer@example.com": "4711", "+442079460018": "4711" } }
      const found = (public_url: string) =>
        Effect.map(examine({ settings: { public_url, test_users } }), ({ lines }) => lines.filter((line) => line.includes(" test_users")))
      const text = "a known code signs in as reviewer@example.com, +442079460018"
      expect(yield* found("https://id.example.com")).toEqual([
        `error  test_users: ${text}: remove test_users as soon as the review is over`,
      ])
      expect(yield* found("http://localhost:3000")).toEqual([`ok     test_users: ${text}, since public_url is on this machine`])
    }),
  )

  it.effect("lists the providers trusted for every address", () =>
    Effect.gen(function* () {
      const providers = [provider("one", { trust_email: "always" }), provider("two"), provider("three", { trust_email: "always" })]
      const built = (all: ReadonlyArray<object>) => social.build(Schema.decodeUnknownSync(social.settings)({ providers: all }))
      expect(yield* linesOf([built(providers)])).toEqual([
        'ok     modules.social: trust_email is "always" for one, three: an account there signs in as the user with the same address, even if the provider did not verify it',
      ])
      expect(yield* linesOf([built([provider("two"), provider("four", { trust_email: "never" })])])).toEqual([])
    }),
  )

  it.effect("names the line that a provider needs whose mapping leaves open what an address proves", () =>
    Effect.gen(function* () {
      const built = (more: Record<string, unknown>) =>
        social.build(Schema.decodeUnknownSync(social.settings)({ providers: [provider("acme", more)] }))
      const byFunction = { map_user: ({ id, mail }: Record<string, unknown>) => ({ account_id: id, email: mail }) }
      const byName = { map_user: { account_id: "id", email: "mail" } }
      const line = `error  modules.social: the addresses of acme are not trusted unless its profiles have email_verified: true; users with another profile get no address. Add trust_email: "always" to this provider if it verifies every address itself, otherwise trust_email: "when_verified"`
      for (const open of [byFunction, byName]) {
        expect(yield* linesOf([built(open)])).toEqual([line])
        for (const trust_email of ["when_verified", "never"]) expect(yield* linesOf([built({ ...open, trust_email })])).toEqual([])
        expect(yield* linesOf([built({ ...open, issuer: "https://acme.example" })])).toEqual([])
      }
      expect(yield* linesOf([built({ map_user: { account_id: "id" } })])).toEqual([])
      expect(yield* linesOf([built({ map_user: { account_id: "id", email: "mail", email_verified: "confirmed" } })])).toEqual([])
    }),
  )
})

it.effect.each([
  ["http://localhost:3000", 3000, false],
  ["http://localhost:3000", 3456, true],
  ["http://localhost", 80, false],
  ["http://127.0.0.1", 3000, true],
  ["https://localhost", 3000, false],
  ["http://id.example.com", 3000, false],
] as const)("%s and port %i", ([public_url, port, isWrong]) =>
  Effect.gen(function* () {
    const result = yield* Effect.result(portCheck(yield* Effect.orDie(decode({ public_url })), port))
    expect(Result.isFailure(result)).toBe(isWrong)
    if (Result.isFailure(result))
      expect(result.failure).toContain(`links point to ${public_url}, but the service listens on port ${port}: change public_url`)
  }),
)

it.effect("reports pending schema changes and unused tables of a database", () =>
  Effect.gen(function* () {
    const line = (due: number, ...unused: ReadonlyArray<string>) =>
      Effect.map(examine({ store, has: { due, unused } }), ({ lines }) => lines[2])
    expect(yield* line(0)).toBe("ok     store: reachable, and its tables are up to date")
    expect(yield* line(0, "note", "terms")).toBe(
      "ok     store: reachable, and its tables are up to date; no enabled module uses note, terms",
    )
    expect(yield* line(2, "note")).toBe(
      "error  store: reachable, but 2 schema changes are pending; `migrate` or the next start applies them",
    )
  }),
)

it.effect("reports what modules find in the rows, if the tables are up to date", () =>
  Effect.gen(function* () {
    const stored = [
      { module: "admin", severity: "warning", text: "two are locked out" },
      { module: "social", severity: "note", text: "one is new" },
    ] as const
    const examined = (due: number) => examine({ store, has: { due, unused: [], stored } })
    const { lines, code } = yield* examined(0)
    expect(lines.slice(-2)).toEqual(["error  modules.admin: two are locked out", "ok     modules.social: one is new"])
    expect(code).toBe(1)
    expect((yield* examined(1)).lines.join()).not.toContain("locked out")
    expect((yield* examine({ store, has: { due: 0, unused: [], stored: stored.slice(1) } })).code).toBe(0)
  }),
)

it.effect("an empty database is no fault if the first start creates its tables", () =>
  Effect.gen(function* () {
    const has = { due: 3, created: 2, unused: [] }
    const examined = (given: Setup) => Effect.map(examine({ store, has, ...given }), ({ lines, code }) => [lines[2], code])
    const pending = "error  store: reachable, but 3 schema changes are pending; `migrate` or the next start applies them"
    expect(yield* examined({})).toEqual(["ok     store: reachable, and empty: the first start creates the tables", 0])
    expect(yield* examined({ store: { ...store, migrate: "never" as const } })).toEqual([pending, 1])
    expect(yield* examined({ has: { ...has, created: 1 } })).toEqual([pending, 1])
    expect(yield* examined({ has: { ...has, unused: ["terms"] } })).toEqual([pending, 1])
  }),
)

it.effect("repeats every fault of a configuration", () =>
  Effect.gen(function* () {
    const faults = new ConfigurationFault({ faults: ["a: found 1, wanted 2", "b: found 3, wanted 4"] })
    const { lines, code } = yield* report(misconfigured(faults, { json: false }))
    expect(lines).toEqual(["error  configuration: a: found 1, wanted 2", "error  configuration: b: found 3, wanted 4"])
    expect(code).toBe(1)
    const printed = yield* report(misconfigured(faults, { json: true }))
    expect(JSON.parse(printed.lines[0]!)).toEqual({ check: "configuration", level: "error", ok: false, text: "a: found 1, wanted 2" })
  }),
)

it.effect("reports a fault when users must verify an address and mail is not sent", () =>
  Effect.gen(function* () {
    const settings = { email_password: { require_email_verification: true } }
    const { lines, code } = yield* examine({ settings })
    expect(lines[3]).toBe(
      "error  mail: mail is not sent, so users cannot verify an address: change mail, or turn email_password.require_email_verification off",
    )
    expect(code).toBe(1)
    expect((yield* examine({ settings, mail: { kind: "console" } })).code).toBe(0)
  }),
)

describe("an embedded database that does not exist yet", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-doctor-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const storeLine = (directory: string) =>
    Effect.map(examine({ store: { kind: "embedded", session_cache: 0, directory } }), ({ lines }) => lines[2])

  it.effect("is created by the first start, not by the check", () =>
    Effect.gen(function* () {
      for (const directory of [folder, join(folder, "a", "b")])
        expect(yield* storeLine(directory)).toBe(`ok     store: the first start creates a database in ${directory}`)
      expect(readdirSync(folder)).toEqual([])
    }),
  )

  it.effect("is a fault where it cannot be created", () =>
    Effect.gen(function* () {
      const file = join(folder, "file")
      writeFileSync(file, "")
      for (const directory of [file, join(file, "data")])
        expect(yield* storeLine(directory)).toBe(
          `error  store: cannot create a database in ${directory}: change its owner or mode, or store.directory`,
        )
    }),
  )
})

describe("public_url", () => {
  it.effect.each([
    [{ public_url: "http://auth.example.com" }, /^error .* Secure cookie over http/],
    [{ public_url: "http://auth.example.com", cookie: { secure: false } }, /^error .* sent unencrypted/],
    [{ public_url: "https://auth.example.com", cookie: { secure: false } }, /^error .* cookie\.secure is off/],
    [{ public_url: "https://auth.example.com", cookie: { host_prefix: false, domain: "example.org" } }, /^error .* change cookie\.domain/],
    [{ public_url: "https://notexample.com", cookie: { host_prefix: false, domain: "example.com" } }, /^error .* change cookie\.domain/],
    [{ public_url: "https://auth.example.com", cookie: { host_prefix: false, domain: ".example.com" } }, /^ok /],
    [{ public_url: "https://auth.example.com", cookie: { domain: "example.org" } }, /^ok /],
    [{ public_url: "http://localhost:3000", cookie: { secure: false, domain: "example.org" } }, /^ok /],
    [{ public_url: "https://auth.example.com" }, /^ok /],
    [{ cookie: { host_prefix: false, path: "/api/aut" } }, /^error .* change cookie\.path/],
    [{ cookie: { host_prefix: false, path: "/api" } }, /^ok /],
    [{ cookie: { path: "/elsewhere" } }, /^ok /],
    [{ public_url: "http://app.localhost:3000" }, /^ok /],
    [{ public_url: "http://127.0.0.1:3000" }, /^ok /],
  ] as const)("%j", ([settings, expected]) =>
    Effect.gen(function* () {
      const { lines } = yield* examine({ settings })
      expect(lines.at(-1)).toMatch(expected)
    }),
  )
})

describe("rate_limit", () => {
  const public_url = "https://auth.example.com"
  it.effect.each([
    [{ rate_limit: { enabled: false } }, "off: requests, guesses and messages have no limit"],
    [{ rate_limit: { store: "store" } }, "counted in the store"],
    [{ public_url, trusted_proxies: ["10.0.0.0/8"] }, "counted in each process separately"],
    [{ public_url }, "counted in each process separately; trusted_proxies is empty, so behind a proxy all clients count as one address"],
  ] as const)("%j", ([settings, expected]) =>
    Effect.gen(function* () {
      expect((yield* examine({ settings })).lines).toContain(`ok     rate_limit: ${expected}`)
    }),
  )
})

describe("mail server", () => {
  /** A server with this greeting. */
  const greeting = (words: string) =>
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
            const server = createServer((socket) => {
              socket.on("error", () => undefined).write(`${words}\r\n`)
              socket.on("data", (data) => socket.write(String(data).startsWith("QUIT") ? "221 bye\r\n" : "250 fine\r\n"))
            })
            server.listen(0, "127.0.0.1", () => {
              const address = server.address()
              resolve({ port: typeof address === "object" && address !== null ? address.port : 0, close: () => server.close() })
            })
          }),
      ),
      ({ close }) => Effect.sync(close),
    )
  const mail = (port: number) =>
    ({ kind: "smtp", url: Redacted.make(`smtp://me:hunter2@127.0.0.1:${port}`), from: "me@example.com" }) as const

  it.live("that accepts the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* greeting("220 ready")
      const { url, ...rest } = mail(port)
      const { lines } = yield* examine({ mail: { ...rest, url: Redacted.make(Redacted.value(url).replace("me:hunter2@", "")) } })
      expect(lines[3]).toBe("ok     mail: the server is reachable and accepts the login")
    }).pipe(Effect.scoped),
  )

  it.live("that refuses connections", () =>
    Effect.gen(function* () {
      const { port } = yield* greeting("554 go away")
      const { lines, code } = yield* examine({ mail: mail(port) })
      expect(lines[3]).toMatch(/^error {2}mail: the server cannot be used \(.+\); mail\.url or SMTP_URL names it$/)
      expect(lines[3]).not.toContain("hunter2")
      expect(code).toBe(1)
    }).pipe(Effect.scoped),
  )

  it.live("that is unreachable", () =>
    Effect.gen(function* () {
      const { lines } = yield* examine({ mail: mail(1) })
      expect(lines[3]).toMatch(/^error {2}mail: .*ECONNREFUSED/)
    }),
  )
})
