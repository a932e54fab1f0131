import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { configurationOf, load } from "../../../adapters/config/load.ts"
import { unreadFiles } from "../../../adapters/config/source.ts"
import { ConfigurationFault } from "../../../adapters/configuration-faults.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Module from "../../../application/service/module.ts"

const secret = "0123456789abcdef0123456789abcdef"
const onServer = { kind: "postgres", url: "postgres://x" }

const lengthy = Module.define({
  name: "lengthy",
  settings: Schema.Struct({ length: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(6))) }),
  parts: () => ({}),
})
const plain = Module.define({ name: "plain", settings: Module.NoSettings, parts: () => ({}) })
const picky = Module.define({
  name: "picky",
  settings: Schema.Struct({ least: Schema.Int, most: Schema.Int }),
  faults: ({ least, most }, { email_password, session }) => [
    ...(least > most ? [{ path: ["most"], wanted: `at least ${least}` }] : []),
    ...(email_password.enabled ? [] : [{ path: [], wanted: "email_password.enabled to be true" }]),
    ...(session.expires_in < most ? [{ path: ["most"], wanted: `at most session.expires_in, ${session.expires_in}` }] : []),
  ],
  parts: () => ({}),
})

const folders: Array<string> = []
const folder = (files: Readonly<Record<string, string>> = {}) => {
  const made = mkdtempSync(join(tmpdir(), "sallyport-config-"))
  folders.push(made)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true })
})

const definitions = [lengthy, plain, picky]

type Environment = Readonly<Record<string, string>>

const loaded = (config: unknown, environment: Environment = {}) =>
  load({ directory: folder({ "sallyport.config.json": JSON.stringify(config) }), environment }, definitions)

const faultsOf = (config: unknown, environment: Environment = {}) =>
  Effect.map(Effect.flip(loaded(config, environment)), (fault) => {
    expect(fault).toBeInstanceOf(ConfigurationFault)
    return fault.faults
  })

describe("without a file", () => {
  it.effect("a secret in the environment is enough", () =>
    Effect.gen(function* () {
      const configuration = yield* load({ directory: folder(), environment: { SALLYPORT_SECRET: secret } }, [])
      expect((yield* configuration.secrets).map(Redacted.value)).toEqual([secret])
      expect(configuration.settings).toMatchObject({ public_url: "http://localhost:3000", base_path: "/api/auth" })
      expect(configuration.httpSettings).toMatchObject({ max_body_bytes: 1_048_576, request_timeout: 5 })
      expect(configuration.listen).toEqual({ host: "127.0.0.1", port: 3000, drain_delay: 5, drain: 20, workers: 1 })
      expect(configuration.store).toEqual({ kind: "embedded", directory: ".sallyport/data", session_cache: 10_000 })
      expect(configuration.mail).toEqual({ kind: "console" })
      expect(configuration.log).toEqual({ level: "info" })
      expect(configuration.rest).toEqual({ enabled: true })
      const limits = { max_depth: 12, max_aliases: 15, max_tokens: 2000, max_cost: 5000 }
      expect(configuration.graphql).toEqual({ enabled: true, path: "/graphql", federation: false, plugins: [], ...limits })
      expect(configuration.modules).toEqual([])
    }),
  )

  it.effect("the secret has no default", () =>
    Effect.gen(function* () {
      const { faults } = yield* Effect.flip(load({ directory: folder(), environment: {} }, []))
      expect(faults).toEqual(["secret: found nothing, wanted at least 32 bytes; the command `secret` prints a good one"])
    }),
  )
})

describe("files", () => {
  const from = (files: Readonly<Record<string, string>>, file?: string) =>
    Effect.map(
      load({ directory: folder(files), environment: { SALLYPORT_SECRET: secret }, file }, []),
      ({ settings }) => settings.base_path,
    )
  const refusal = (files: Readonly<Record<string, string>>, file?: string) =>
    Effect.map(Effect.flip(from(files, file)), ({ faults }) => faults)
  const json = (base_path: string) => JSON.stringify({ base_path })
  const module = (base_path: string) => `export default ${json(base_path)}`

  it.effect.each([
    ["sallyport.config.ts", 'const path: string = "/ts"\nexport default { base_path: path }', "/ts"],
    ["sallyport.config.js", module("/js"), "/js"],
    ["sallyport.config.json", json("/json"), "/json"],
  ] as const)("%s is found in the working directory", ([name, text, expected]) =>
    Effect.gen(function* () {
      expect(yield* from({ [name]: text })).toBe(expected)
    }),
  )

  it.effect("the configuration names its file, and each file that is not read has a line", () =>
    Effect.gen(function* () {
      const [ts, plain] = ["sallyport.config.ts", "sallyport.config.json"]
      const directory = folder({ [ts]: module("/ts"), [plain]: json("/json") })
      const environment = { SALLYPORT_SECRET: secret }
      expect((yield* load({ directory, environment }, [])).file).toBe(join(directory, ts))
      expect((yield* load({ directory, environment, file: plain }, [])).file).toBe(join(directory, plain))
      expect((yield* load({ directory: folder(), environment }, [])).file).toBe(null)
      expect(unreadFiles({ directory, environment })).toEqual([`${plain} is not read: ${ts} takes precedence.`])
      expect(unreadFiles({ directory, environment, file: plain })).toEqual([])
      expect(unreadFiles({ directory: folder({ [plain]: json("/json") }), environment })).toEqual([])
    }),
  )

  it.effect("TypeScript takes precedence over JavaScript, and JavaScript over JSON", () =>
    Effect.gen(function* () {
      const [ts, js, plain] = [module("/ts"), module("/js"), json("/json")]
      expect(yield* from({ "sallyport.config.ts": ts, "sallyport.config.js": js, "sallyport.config.json": plain })).toBe("/ts")
      expect(yield* from({ "sallyport.config.js": js, "sallyport.config.json": plain })).toBe("/js")
    }),
  )

  it.effect("a named file takes precedence over all of them", () =>
    Effect.gen(function* () {
      expect(yield* from({ "sallyport.config.ts": module("/ts"), "other.json": json("/other") }, "other.json")).toBe("/other")
    }),
  )

  it.effect.each([
    ["a file that is not there", {}, "gone.json", "gone.json: found no such file, wanted a configuration file"],
    ["an unknown kind", { "a.yaml": "" }, "a.yaml", "a.yaml: found an unknown kind of file, wanted .ts, .js or .json"],
    ["a list", { "a.json": "[]" }, "a.json", "a.json: found something else, wanted an object"],
    ["no default export", { "a.ts": "export const x = 1" }, "a.ts", "a.ts: found something else, wanted an object as its default export"],
    [
      "a module that throws",
      { "a.js": 'throw new Error("no luck")' },
      "a.js",
      "a.js: found no luck in line 1, wanted a configuration file that can be read",
    ],
    [
      "what a function throws",
      { "a.ts": 'const f = () => {\n  throw new Error("no luck")\n}\n\nexport default f()' },
      "a.ts",
      "a.ts: found no luck in line 2, wanted a configuration file that can be read",
    ],
    [
      "an alias",
      { "a.ts": 'import "@/lib/mail"\nexport default {}' },
      "a.ts",
      expect.stringMatching(
        /^a\.ts: found .*@\/lib.*, wanted imports by relative paths and of packages: commands load it without a bundler, so aliases do not work$/,
      ),
    ],
  ] as const)("refuses %s", ([, files, file, expected]) =>
    Effect.gen(function* () {
      expect(yield* refusal(files, file)).toEqual([expected])
    }),
  )

  it.effect.each([
    ["a line comment", '// mine\n{"secret": "hunter2"}', 1],
    ["a comment at the end of a line", '{\n  "secret": "hunter2 \\" //" // hunter2\n}', 2],
    ["a block comment", '{"secret": "hunter2",\n\n/* hunter2 */ "log": {}}', 3],
  ] as const)("%s in JSON is named as such", ([, text, line]) =>
    Effect.gen(function* () {
      expect(yield* refusal({ "a.json": text }, "a.json")).toEqual([
        `a.json: found a comment in line ${line}, wanted JSON, which has no comments; a .ts or .js file can have them`,
      ])
    }),
  )

  it.effect("two slashes in a text of JSON are no comment", () =>
    Effect.gen(function* () {
      const [fault = ""] = yield* refusal({ "a.json": '{"public_url": "http://localhost:3000",}' }, "a.json")
      expect(fault).toMatch(/^a\.json: found a syntax error/)
    }),
  )

  it.effect("true enables a module as {} does, and false is no key, but not for an unknown module or an extension", () =>
    Effect.gen(function* () {
      const written = yield* configurationOf({ $schema: "./a.json", secret, modules: { plain: {} } }, definitions)
      const switched = yield* configurationOf({ secret, modules: { plain: true, lengthy: false } }, definitions)
      expect([switched.modules.map(({ name }) => name), switched.hash]).toEqual([["plain"], written.hash])
      const own = Module.define({ name: "own", settings: Schema.Struct({ text: Schema.optionalKey(Schema.String) }), parts: () => ({}) })
      const on = yield* configurationOf({ secret, modules: { own: true }, extensions: [own] }, definitions)
      expect(on.modules.map(({ name }) => name)).toEqual(["own"])
      const wrong = { secret, modules: { plan: false, own: false, picky: null }, extensions: [own] }
      const { faults } = yield* Effect.flip(configurationOf(wrong, definitions))
      expect(faults.toSorted()).toEqual([
        "modules.own: found false, wanted an object",
        "modules.picky: found null, wanted an object",
        "modules.plan: found an unknown key, wanted plain",
      ])
    }),
  )

  it.effect("a syntax error is reported without the text around it", () =>
    Effect.gen(function* () {
      const [fault = ""] = yield* refusal({ "a.json": '{"secret": "hunter2hunter2hunter2"' }, "a.json")
      expect(fault).toMatch(/^a\.json: found a syntax error.*, wanted a configuration file that can be read$/)
      expect(fault).not.toContain("hunter2")
    }),
  )
})

describe("environment", () => {
  const file = {
    secret: "a".repeat(32),
    public_url: "https://file.example.com",
    listen: { host: "0.0.0.0", port: 1 },
    mail: { kind: "smtp", url: "smtp://file.example.com", from: "file@example.com" },
  }

  it.effect("overrides the file", () =>
    Effect.gen(function* () {
      const configuration = yield* loaded(file, {
        SALLYPORT_SECRET: secret,
        SALLYPORT_PUBLIC_URL: "https://env.example.com",
        HOST: "::1",
        PORT: "8080",
        SMTP_URL: "smtps://env.example.com",
        MAIL_FROM: "env@example.com",
      })
      expect((yield* configuration.secrets).map(Redacted.value)).toEqual([secret])
      expect(configuration.settings.public_url).toBe("https://env.example.com")
      expect(configuration.listen).toMatchObject({ host: "::1", port: 8080 })
      expect(configuration.mail).toMatchObject({ kind: "smtp", from: "env@example.com" })
      expect("url" in configuration.mail && Redacted.value(configuration.mail.url)).toBe("smtps://env.example.com")
    }),
  )

  it.effect("an empty variable is ignored", () =>
    Effect.gen(function* () {
      const { listen, settings } = yield* loaded(file, { PORT: "", SALLYPORT_PUBLIC_URL: "", SALLYPORT_SECRET: "" })
      expect([listen.port, settings.public_url]).toEqual([1, file.public_url])
    }),
  )

  it.effect.each(["postgres", "postgresql"])("DATABASE_URL with %s:// picks PostgreSQL", (scheme) =>
    Effect.gen(function* () {
      const url = `${scheme}://me@db/auth`
      const { store } = yield* loaded({ secret, store: { kind: "embedded", directory: "x" } }, { DATABASE_URL: url })
      expect(store).toMatchObject({ kind: "postgres", max_connections: 10 })
      expect("url" in store && Redacted.value(store.url)).toBe(url)
    }),
  )

  it.effect.each(["mongodb://me@one:1,two:2/auth?replicaSet=rs0", "mongodb+srv://me@db.example/auth"])(
    "DATABASE_URL %s picks MongoDB",
    (url) =>
      Effect.gen(function* () {
        const { store } = yield* loaded({ secret, store: { kind: "postgres", url: "postgres://x" } }, { DATABASE_URL: url })
        expect(store).toMatchObject({ kind: "mongo", max_connections: 10 })
        expect("url" in store && Redacted.value(store.url)).toBe(url)
      }),
  )

  it.effect("a URL of MongoDB that its driver would refuse is a fault that does not show the password", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret }, { DATABASE_URL: "mongodb://me:hunter2@db/auth?retryWites=true" })).toEqual([
        "store.url: found mongodb://… in DATABASE_URL, wanted a URL that begins with mongodb:// or mongodb+srv://, as the driver reads it",
      ])
    }),
  )

  it.effect("DATABASE_URL keeps the settings that other variables name, also if it selects another kind", () =>
    Effect.gen(function* () {
      const environment = { DATABASE_URL: "postgres://x", SALLYPORT_STORE__SCHEMA: "auth", SALLYPORT_STORE__MAX_CONNECTIONS: "3" }
      const wanted = { kind: "postgres", schema: "auth", max_connections: 3 }
      expect((yield* loaded({ secret }, environment)).store).toMatchObject(wanted)
      expect((yield* loaded({ secret, store: { kind: "embedded", directory: "x" } }, environment)).store).toMatchObject(wanted)
    }),
  )

  it.effect("the name of a schema is one that PostgreSQL neither reserves nor truncates", () =>
    Effect.gen(function* () {
      const schemaOf = (schema: unknown) => loaded({ secret, store: { ...onServer, schema } })
      for (const schema of ["auth", "Auth", "_a", "my-app", "a".repeat(63)])
        expect((yield* schemaOf(schema)).store).toMatchObject({ schema })
      for (const schema of ["", "pg_auth", "information_schema", "1a", 'a"b', "a.b", "a b", "a\u0000", "é", "a".repeat(64), "a;b", 5])
        expect((yield* Effect.flip(schemaOf(schema))).faults, String(schema)).toEqual([
          expect.stringMatching(/^store\.schema: found .*, wanted a /),
        ])
      for (const kind of ["embedded", "memory", "mongo"])
        expect(yield* faultsOf({ secret, store: { kind, schema: "auth", ...(kind === "mongo" ? { url: "mongodb://x" } : {}) } })).toEqual([
          expect.stringContaining("store.schema: found an unknown key"),
        ])
    }),
  )

  it.effect("DATABASE_URL keeps the other settings of a PostgreSQL store", () =>
    Effect.gen(function* () {
      const store = { kind: "postgres", url: "postgres://old/x", max_connections: 3 }
      expect((yield* loaded({ secret, store }, { DATABASE_URL: "postgres://new/x" })).store).toMatchObject({ max_connections: 3 })
    }),
  )

  it.effect("a database of another kind is a fault that names the supported ones and does not show the password", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret }, { DATABASE_URL: "mysql://me:hunter2@db/auth" })).toEqual([
        "store.url: found mysql://… in DATABASE_URL, wanted a URL that begins with postgres:// or postgresql://",
      ])
    }),
  )

  it.effect("a mail server needs a sender", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret }, { SMTP_URL: "smtp://mail.example.com" })).toEqual([
        "mail.from: found nothing, wanted the sender, such as Example <no-reply@example.com>",
      ])
    }),
  )

  it.effect("a sender alone does not enable mail", () =>
    Effect.gen(function* () {
      expect((yield* loaded({ secret }, { MAIL_FROM: "env@example.com" })).mail).toEqual({ kind: "console" })
    }),
  )

  it.effect("any setting has a variable: its path in capitals, joined by two underscores, with JSON for values other than text", () =>
    Effect.gen(function* () {
      const { settings, httpSettings, mail, modules, log } = yield* loaded(
        { ...file, session: { update_age: 5 } },
        {
          SALLYPORT_SESSION__EXPIRES_IN: "3600",
          SALLYPORT_TRUSTED_ORIGINS: '["https://app.example.com"]',
          SALLYPORT_EMAIL_PASSWORD__REQUIRE_EMAIL_VERIFICATION: "true",
          SALLYPORT_COOKIE__DOMAIN: "null",
          SALLYPORT_MAIL__FROM: "env@example.com",
          SALLYPORT_LOG__LEVEL: "warn",
          SALLYPORT_MODULES__PLAIN: "{}",
        },
      )
      expect(settings.session).toMatchObject({ expires_in: 3600, update_age: 5 })
      expect(settings.trusted_origins).toEqual(["https://app.example.com"])
      expect([settings.email_password.require_email_verification, httpSettings.cookie.domain]).toEqual([true, null])
      expect(mail).toMatchObject({ kind: "smtp", from: "env@example.com" })
      expect([modules.map(({ name }) => name), log.level]).toEqual([["plain"], "warn"])
    }),
  )

  it.effect("variables of Kubernetes for a service named sallyport are ignored; a misspelt setting is a fault", () =>
    Effect.gen(function* () {
      const links = {
        SALLYPORT_SERVICE_HOST: "10.0.0.1",
        SALLYPORT_PORT: "tcp://10.0.0.1:3000",
        SALLYPORT_PORT_3000_TCP: "tcp://10.0.0.1:3000",
      }
      expect((yield* loaded(file, links)).listen.port).toBe(1)
      const [fault] = yield* faultsOf({ secret }, { SALLYPORT_SESSION__EXPIRE_IN: "1" })
      expect(fault).toContain("session.expire_in: found an unknown key")
    }),
  )

  it.effect("a value is read from the file that NAME_FILE names", () =>
    Effect.gen(function* () {
      const directory = folder()
      const at = (name: string, text: string) => {
        writeFileSync(join(directory, name), text)
        return join(directory, name)
      }
      const configuration = yield* loaded(file, {
        SALLYPORT_SECRET_FILE: at("secret", `${secret}\n${"b".repeat(32)}\n`),
        SMTP_URL_FILE: at("smtp", "smtps://file.example.com\n"),
        SALLYPORT_MAIL__FROM_FILE: at("from", "from@example.com\n"),
      })
      expect((yield* configuration.secrets).map(Redacted.value)).toEqual([secret, "b".repeat(32)])
      expect("url" in configuration.mail && Redacted.value(configuration.mail.url)).toBe("smtps://file.example.com")
      expect(configuration.mail).toMatchObject({ from: "from@example.com" })
    }),
  )

  it.effect("a list of secrets is JSON", () =>
    Effect.gen(function* () {
      const { secrets } = yield* loaded(file, { SALLYPORT_SECRET: JSON.stringify([secret, "b".repeat(32)]) })
      expect((yield* secrets).map(Redacted.value)).toEqual([secret, "b".repeat(32)])
    }),
  )

  it.effect("a missing file is a fault, and so are a file and its variable together", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf(file, { SALLYPORT_SECRET_FILE: "/no/such/file" })).toEqual([
        "SALLYPORT_SECRET_FILE: found a file that cannot be read (ENOENT), wanted a file with the value",
      ])
      expect(yield* faultsOf(file, { SALLYPORT_SECRET_FILE: "/no/such/file", SALLYPORT_SECRET: secret })).toEqual([
        "SALLYPORT_SECRET_FILE: found SALLYPORT_SECRET as well, wanted one of the two",
      ])
    }),
  )

  it.effect("no fault shows the value of a secret setting", () =>
    Effect.gen(function* () {
      const sms = { kind: "twilio", account_sid: `AC${"0".repeat(32)}`, from: "+15550100" }
      const faults = yield* faultsOf({ secret, sms }, { SALLYPORT_SMS__AUTH_TOKEN: "4711" })
      expect(faults.length).toBeGreaterThan(0)
      expect(faults.join()).not.toContain("4711")
    }),
  )

  it.effect("a fault names the variable it came from", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret }, { PORT: "80x" })).toEqual(['listen.port: found "80x" in PORT, wanted a number'])
    }),
  )
})

describe("defaults", () => {
  it.effect.each([
    ["http://localhost:4000", 4000],
    ["http://auth.example.com", 80],
    ["https://auth.example.com", 443],
  ] as const)("%s is listened to on port %i", ([public_url, port]) =>
    Effect.gen(function* () {
      expect((yield* loaded({ secret, public_url })).listen.port).toBe(port)
    }),
  )

  it.effect("several secrets keep their order", () =>
    Effect.gen(function* () {
      const newest = "b".repeat(32)
      const { secrets } = yield* loaded({ secret: [newest, secret] })
      expect((yield* secrets).map(Redacted.value)).toEqual([newest, secret])
    }),
  )
})

describe("faults", () => {
  it.effect("are all reported at once, each with its path", () =>
    Effect.gen(function* () {
      const faults = yield* faultsOf({
        secret: ["short", 3],
        sesion: {},
        public_url: "http://x/y",
        cookie: { sesure: true, name: 3 },
        session: { expires_in: 0, update_age: -1 },
        store: { kind: "sqlite" },
        mail: { kind: "smtp" },
        log: { level: "loud" },
        trusted_origins: ["https://fine.example.com", "https://x/y"],
        email_password: { min_password_length: 20, max_password_length: 19, hash: { memory_kib: 31, lanes: 4 } },
        modules: { lengthly: {}, plain: { more: 1 } },
      })
      expect(faults.toSorted()).toEqual(
        [
          "secret.0: found a text of 5 bytes, wanted at least 32 bytes; the command `secret` prints a good one",
          "secret.1: found a number, wanted a text",
          "sesion: found an unknown key, wanted session",
          'public_url: found "http://x/y", wanted an origin such as https://app.example.com, without a path or a slash at its end',
          "cookie.sesure: found an unknown key, wanted secure",
          "cookie.name: found 3, wanted a text",
          "session.expires_in: found 0, wanted a number between 1 and 3155760000",
          "session.update_age: found -1, wanted a number between 0 and 3155760000",
          'store.kind: found "sqlite", wanted "embedded", "postgres", "mongo" or "memory"',
          "mail.url: found nothing, wanted a URL that begins with smtp:// or smtps://",
          "mail.from: found nothing, wanted the sender, such as Example <no-reply@example.com>",
          'log.level: found "loud", wanted "trace", "debug", "info", "warn", "error" or "none"',
          'trusted_origins.1: found "https://x/y", wanted an origin such as https://app.example.com or https://*.example.com, without a path or a slash at its end',
          "email_password.max_password_length: found 19, wanted at least min_password_length, 20",
          "email_password.hash.memory_kib: found 31, wanted at least 8 for each lane, 32",
          "modules.lengthly: found an unknown key, wanted lengthy",
          "modules.plain: found an object, wanted {}, since there is nothing to set",
        ].toSorted(),
      )
    }),
  )

  it.effect("an unknown key that resembles no other gets the list of keys", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret, log: { destination: "x" } })).toEqual([
        "log.destination: found an unknown key, wanted one of level, format",
      ])
    }),
  )

  it.effect.each([
    [{ cookie: { same_site: "None", secure: false } }, "cookie.same_site"],
    [{ trusted_proxies: ["10.0.0.0/33"] }, "trusted_proxies.0"],
    [{ trusted_proxies: ["::/129"] }, "trusted_proxies.0"],
    [{ trusted_proxies: ["999.0.0.1/8"] }, "trusted_proxies.0"],
    [{ links: { reset_password: "https://app.example.com/reset" } }, "links.reset_password"],
    [{ mail: { kind: "smtp", url: "http://mail", from: "me@example.com" } }, "mail.url"],
    [{ mail: { kind: "smtp", url: "smtp://mail", from: "unknown" } }, "mail.from"],
    [{ store: { kind: "postgres", url: "postgres://x", max_connections: 0 } }, "store.max_connections"],
    [{ store: { kind: "postgres", url: "postgres://one:1,two:x/auth" } }, "store.url"],
    [{ store: { kind: "postgres", url: "postgres://x", replicas: ["postgres://one,two/auth"] } }, "store.replicas.0"],
    [{ store: { kind: "postgres", url: "postgres://x", replica_lag: 2 } }, "store.replica_lag"],
    [{ store: { kind: "mongo", url: "mongodb://x", session_cache: -1 } }, "store.session_cache"],
    [{ store: { kind: "postgres", url: "postgres://x", session_cache_age: 0 } }, "store.session_cache_age"],
    [{ listen: { port: 65_536 } }, "listen.port"],
    [{ rest: { enabled: false }, graphql: { enabled: false } }, "rest.enabled"],
    [{ listen: { workers: 0 } }, "listen.workers"],
    [{ listen: { workers: 2 }, rate_limit: { store: "store" } }, "listen.workers"],
    [{ listen: { workers: 2 }, store: { kind: "memory" }, rate_limit: { enabled: false } }, "listen.workers"],
    [{ listen: { workers: 2 }, store: { kind: "mongo", url: "mongodb://x" } }, "rate_limit.store"],
    [
      { listen: { workers: 2 }, store: onServer, rate_limit: { store: "store" }, telemetry: { metrics: { port: 65_535 } } },
      "telemetry.metrics.port",
    ],
    [{ graphql: { path: "graphql" } }, "graphql.path"],
    [{ graphql: { path: "/readyz" } }, "graphql.path"],
    [{ graphql: { max_tokens: 0 } }, "graphql.max_tokens"],
    [{ graphql: { plugins: [{}] } }, "graphql.plugins.0"],
    [{ modules: { lengthy: { length: 1.5 } } }, "modules.lengthy.length"],
    [{ modules: { plain: 1 } }, "modules.plain"],
    [{ modules: { plain: [] } }, "modules.plain"],
    [{ modules: 3 }, "modules"],
    [{ modules: [] }, "modules"],
    [{ modules: [{}] }, "modules"],
    [{ links: { verify_email: "{token}" } }, "links.verify_email"],
    [{ links: { verify_email: "/verify?token={token}" } }, "links.verify_email"],
    [{ cookie: { domain: "exam ple.com" } }, "cookie.domain"],
    [{ cookie: { domain: "" } }, "cookie.domain"],
    [{ cookie: { path: "/a;b" } }, "cookie.path"],
    [{ session: { expires_in: 3_155_760_001 } }, "session.expires_in"],
    [{ email_password: { hash: { memory_kib: 4_294_967_304 } } }, "email_password.hash.memory_kib"],
    [{ extensions: [{}] }, "extensions.0"],
    [{ toString: 1 }, "toString"],
  ] as const)("%j", ([config, path]) =>
    Effect.gen(function* () {
      expect((yield* faultsOf({ secret, ...config })).map((fault) => fault.split(": ")[0])).toEqual([path])
    }),
  )

  it.effect.each([
    { cookie: { same_site: "None" } },
    { cookie: { secure: false } },
    { email_password: { min_password_length: 20, max_password_length: 20, hash: { memory_kib: 32, lanes: 4 } } },
    { trusted_proxies: ["10.0.0.0/32", "::/128"] },
    { links: { reset_password: "https://app.example.com/{token}" } },
    { links: { reset_password: "app.example:reset?token={token}" } },
    { cookie: { domain: ".example.com", path: "/api/auth" } },
    { listen: { port: 0 } },
    { store: { kind: "postgres", url: "postgres://one:1,two:2/auth?target_session_attrs=read-write" } },
    { listen: { workers: 2 }, store: onServer, rate_limit: { store: "store" }, telemetry: { metrics: { port: 65_534 } } },
    { listen: { workers: 2 }, store: onServer, rate_limit: { enabled: false } },
    { session: { expires_in: 10, max_lifetime: 5, update_age: 20 } },
  ])("%j holds", (config) => loaded({ secret, ...config }))

  it.effect("no fault repeats a secret at any path", () =>
    Effect.gen(function* () {
      const faults = yield* faultsOf(
        {
          secret: ["hunter2"],
          store: { kind: "postgres", url: "mysql://hunter2@db", password: "hunter2" },
          mail: { kind: "smtp", url: "hunter2", from: ["hunter2"], auth: { password: "hunter2" } },
          password: "hunter2",
          trusted_origins: ["https://me:hunter2@app.example.com"],
          modules: { lengthy: { client_secret: "hunter2", length: "hunter2" } },
        },
        { SALLYPORT_PUBLIC_URL: "https://me:hunter2@app.example.com" },
      )
      expect(faults.length).toBeGreaterThanOrEqual(9)
      // The value of a key that is not secret may be shown, since it has to be corrected.
      expect(faults.filter((fault) => fault.includes("hunter2"))).toEqual(['modules.lengthy.length: found "hunter2", wanted a number'])
    }),
  )
})

describe("modules", () => {
  it.effect("are enabled by their keys, with their own defaults", () =>
    Effect.gen(function* () {
      expect((yield* loaded({ secret, modules: { plain: {} } })).modules.map(({ name }) => name)).toEqual(["plain"])
      expect((yield* loaded({ secret, modules: { plain: {}, lengthy: {} } })).modules.map(({ name }) => name)).toEqual(["lengthy", "plain"])
    }),
  )

  const on = { secret, email_password: { enabled: true } }

  it.effect("one whose settings fit those of the core is enabled, and one that is disabled is not checked", () =>
    Effect.gen(function* () {
      expect((yield* loaded({ ...on, modules: { picky: { least: 3, most: 3 } } })).modules.map(({ name }) => name)).toEqual(["picky"])
      expect((yield* loaded({ secret, modules: { plain: {} } })).modules.map(({ name }) => name)).toEqual(["plain"])
    }),
  )

  it.effect("report contradictions between their settings and those of the core, all at once and with their paths", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret, session: { expires_in: 10 }, sesion: {}, modules: { picky: { least: 12, most: 11 } } })).toEqual([
        "sesion: found an unknown key, wanted session",
        "modules.picky.most: found 11, wanted at least 12",
        "modules.picky: found an object, wanted email_password.enabled to be true",
        "modules.picky.most: found 11, wanted at most session.expires_in, 10",
      ])
    }),
  )

  it.effect("report no contradictions while single settings, their own or the core's, are invalid", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ secret, modules: { picky: { least: "1", most: 1 } } })).toEqual([
        'modules.picky.least: found "1", wanted a number',
      ])
      expect(yield* faultsOf({ secret, session: { expires_in: 0 }, modules: { picky: { least: 2, most: 1 } } })).toEqual([
        "session.expires_in: found 0, wanted a number between 1 and 3155760000",
      ])
    }),
  )

  it.effect("usernames are a fault where passwords are disabled", () =>
    Effect.gen(function* () {
      const from = (config: unknown) =>
        load({ directory: folder({ "sallyport.config.json": JSON.stringify(config) }), environment: {} }, optional)
      expect((yield* Effect.flip(from({ secret, modules: { username: {} } }))).faults).toEqual([
        "modules.username: found an object, wanted email_password.enabled to be true, since sign-in by username needs a password",
      ])
      expect((yield* from({ ...on, modules: { username: {} } })).modules.map(({ name }) => name)).toEqual(["username"])
    }),
  )

  it.effect("phones are a fault where short messages are not sent", () =>
    Effect.gen(function* () {
      const from = (kind: string) =>
        load(
          {
            directory: folder({ "sallyport.config.json": JSON.stringify({ secret, sms: { kind }, modules: { phone: {} } }) }),
            environment: {},
          },
          optional,
        )
      expect((yield* Effect.flip(from("none"))).faults).toEqual([
        'modules.phone: found an object, wanted an sms.kind other than "none", since codes are sent by SMS',
      ])
      expect((yield* from("console")).modules.map(({ name }) => name)).toEqual(["phone"])
    }),
  )

  const extension = (settings: string) => `
    import { Schema } from "effect"
    import * as Module from ${JSON.stringify(join(import.meta.dirname, "../../../application/service/module.ts"))}
    const shout = Module.define({
      name: "shout",
      settings: Schema.Struct({ volume: Schema.Int }),
      parts: ({ volume }) => ({ hooks: Array.from({ length: volume }, () => ({ on: "*", before: () => undefined })) }),
    })
    export default { extensions: [shout], ${settings} }`
  const extended = (settings: string) =>
    load(
      {
        directory: folder({ "package.json": '{"type":"module"}', "sallyport.config.ts": extension(settings) }),
        environment: { SALLYPORT_SECRET: secret },
      },
      [plain],
    )

  it.effect("an extension reads its settings under its own name", () =>
    Effect.gen(function* () {
      const { modules } = yield* extended("modules: { shout: { volume: 3 }, plain: {} }")
      expect(modules.map(({ name, hooks }) => [name, hooks.length])).toEqual([
        ["plain", 0],
        ["shout", 3],
      ])
    }),
  )

  it.effect("an extension is enabled without a key under modules, and its faults have their paths", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(extended(""))).faults).toEqual(["modules.shout.volume: found nothing, wanted a whole number"])
    }),
  )
})
