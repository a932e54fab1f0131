import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const layers = [
  "client",
  "backend",
  "domain",
  "application",
  "module.ts",
  "adapters",
  "pages.ts",
  "index.ts",
  "testing",
  "testing.ts",
  "main.ts",
] as const
type Layer = (typeof layers)[number]

/** The code of pages and backends. It imports nothing of the service; `domain`, `application` and `module.ts` import nothing of it. */
const shipped: ReadonlyArray<Layer> = ["client", "backend"]
const frameworks: ReadonlyArray<string> = ["react", "vue", "fastify", "hono", "jose"]

/** Only adapters and `main.ts` access the clock, randomness and the process directly; other code uses services. */
const impure = [
  /\bDate\.now\b/,
  /\bnew Date\(/,
  /\bMath\.random\b/,
  /\bprocess\./,
  /\bglobalThis\b/,
  /(?<![.\w])crypto\./,
  /\bset(Timeout|Interval|Immediate)\(/,
  /\brequire\(/,
]

const imports = (source: string) =>
  [...source.matchAll(/(?:^|;|\n)\s*(?:import|export)\s+(?:([^"';]*?)\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["'`]([^"'`]+)["'`]/g)].map(
    ([, , from, dynamic]) => from ?? dynamic ?? "",
  )

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")

const layerOf = (path: string) => layers.find((layer) => path === layer || path.startsWith(`${layer}/`))

/** The violations in a source file at this path. */
const faultsOf = (path: string, source: string): ReadonlyArray<string> => {
  const own = layerOf(path)
  if (own === undefined) return [`${path} is in no layer`]
  const code = withoutComments(source)
  const inner = own === "domain" || own === "application"
  return [
    ...imports(code).flatMap((from) => importFaults(path, own, from)),
    ...(inner ? impure.filter((pattern) => pattern.test(code)).map((pattern) => `uses ${pattern.source}`) : []),
  ]
}

const importFaults = (path: string, own: Layer, from: string): ReadonlyArray<string> => {
  if (from.startsWith(".")) {
    const target = join(dirname(path), from)
    const layer = layerOf(target)
    const inward = layer !== undefined && layers.indexOf(layer) <= layers.indexOf(own)
    const mixes = (own === "domain" || own === "application" || own === "module.ts") && layer !== undefined && shipped.includes(layer)
    return inward && !mixes && layer !== "main.ts" ? [] : [`imports ${target}`]
  }
  if (shipped.includes(own)) return frameworks.includes(from) ? [] : [`imports ${from}`]
  if (layers.indexOf(own) >= layers.indexOf("adapters")) return []
  if (from !== "effect" && !from.startsWith("effect/")) return [`imports ${from}`]
  return []
}

const sources = [
  ...["client", "backend", "domain", "application", "adapters", "testing"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ),
  ...readdirSync(root).filter((name) => name.endsWith(".ts") && layerOf(name) !== undefined),
].filter((path) => path.endsWith(".ts"))

describe("arrows point inward only", () => {
  it("every layer has files", () => {
    for (const folder of ["domain", "application", "adapters"])
      expect(sources.filter((path) => path.startsWith(folder)).length).toBeGreaterThan(3)
  })

  it.each(sources)("%s", (path) => {
    expect(faultsOf(path, readFileSync(join(root, path), "utf8"))).toEqual([])
  })
})

/** The first import cycle found from a file, type imports included. */
const circleOf = (files: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const done = new Set<string>()
  const search = (path: string, way: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of files.get(path) ?? []) {
      const found = search(next, [...way, path])
      if (found.length > 0) return found
    }
    done.add(path)
    return []
  }
  for (const path of files.keys()) {
    const found = search(path, [])
    if (found.length > 0) return found
  }
  return []
}

const targetsOf = (path: string): ReadonlyArray<string> =>
  imports(withoutComments(readFileSync(join(root, path), "utf8"))).flatMap((from) =>
    from.startsWith(".") ? [join(dirname(path), from)] : [],
  )

/** The folders of a folder, each with those of its neighbours that its files import. */
const foldersOf = (parent: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const folderOf = (path: string) => path.match(new RegExp(`^${parent}/([^/]+)/`))?.[1]
  const folders = Map.groupBy(sources, (path) => folderOf(path) ?? "")
  folders.delete("")
  const neighbours = (paths: ReadonlyArray<string>, own: string) =>
    paths
      .flatMap(targetsOf)
      .flatMap((target) => folderOf(target) ?? [])
      .filter((folder) => folder !== own)
  return new Map([...folders].map(([folder, paths]) => [folder, [...new Set(neighbours(paths, folder))]]))
}

describe("imports have no cycles", () => {
  it("from any file", () => {
    expect(circleOf(new Map(sources.map((path) => [path, targetsOf(path)])))).toEqual([])
  })

  const parents = new Set(
    sources.flatMap((path) =>
      path
        .split("/")
        .slice(0, -1)
        .map((_, end, all) => all.slice(0, end + 1).join("/")),
    ),
  )

  it.each([...parents])("between the folders of %s", (parent) => {
    expect(circleOf(foldersOf(parent))).toEqual([])
  })

  it("and the rooms of the identity provider have the order of its README", () => {
    const order = ["keys", "clients", "claims", "tokens", "authorization", "grants", "logout"]
    const rooms = foldersOf("application/modules/idp")
    expect([...rooms.keys()].toSorted()).toEqual(order.toSorted())
    for (const [room, imported] of rooms) {
      expect(imported.filter((other) => order.indexOf(other) > order.indexOf(room))).toEqual([])
    }
  })

  it("a cycle would be found", () => {
    const files = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] }
    expect(circleOf(new Map(Object.entries(files)))).toEqual(["b", "d", "b"])
  })
})

describe("folders", () => {
  it("have at most 30 files of source each, so that a reader finds one by its name", () => {
    const files = Map.groupBy(sources, (path) => dirname(path))
    expect([...files].filter(([, paths]) => paths.length > 30).map(([folder]) => folder)).toEqual([])
  })
})

describe("the check of a file", () => {
  it.each([
    ["domain/users/user.ts", 'import { Auth } from "../../application/service/auth.ts"', "imports application/service/auth.ts"],
    ["domain/users/user.ts", 'import type { Auth } from "../../application/service/auth.ts"', "imports application/service/auth.ts"],
    ["domain/users/user.ts", 'import "../../application/service/auth.ts"', "imports application/service/auth.ts"],
    ["domain/users/user.ts", 'export * from "../../adapters/http/origins.ts"', "imports adapters/http/origins.ts"],
    ["domain/users/user.ts", 'import { createHash } from "node:crypto"', "imports node:crypto"],
    ["application/service/auth.ts", 'import { readFile } from "node:fs/promises"', "imports node:fs/promises"],
    ["application/service/auth.ts", 'import nodemailer from "nodemailer"', "imports nodemailer"],
    ["application/service/auth.ts", 'import { NodeCrypto } from "@effect/platform-node"', "imports @effect/platform-node"],
    [
      "application/modules/account/index.ts",
      'import { origins } from "../../../adapters/http/origins.ts"',
      "imports adapters/http/origins.ts",
    ],
    ["application/service/auth.ts", 'const os = await import("node:os")', "imports node:os"],
    ["application/service/auth.ts", 'import { world } from "../../test/world.ts"', "imports test/world.ts"],
    ["application/service/auth.ts", "const now = Date.now()", "uses \\bDate\\.now\\b"],
    ["application/service/auth.ts", "const now = new Date()", "uses \\bnew Date\\("],
    ["domain/users/user.ts", "const chance = Math.random()", "uses \\bMath\\.random\\b"],
    ["application/service/auth.ts", 'const home = process.env["HOME"]', "uses \\bprocess\\."],
    ["application/service/auth.ts", "const id = crypto.randomUUID()", "uses (?<![.\\w])crypto\\."],
    ["adapters/http/origins.ts", 'import { main } from "../../main.ts"', "imports main.ts"],
    ["adapters/http/origins.ts", 'import { world } from "../../test/world.ts"', "imports test/world.ts"],
    ["main.ts", 'import { world } from "./test/world.ts"', "imports test/world.ts"],
    ["library/User.ts", "", "library/User.ts is in no layer"],
  ])("finds the fault in %s: %s", (path, source, fault) => {
    expect(faultsOf(path, source)).toContain(fault)
  })

  it.each([
    [
      "domain/users/user.ts",
      'import { Schema } from "effect"\nimport { Digest } from "effect/crypto"\nimport { Text } from "../values/text.ts"',
    ],
    [
      "application/modules/account/index.ts",
      'import { User } from "../../../domain/users/user.ts"\nimport { Effect } from "effect"\nimport { Mac } from "effect/crypto"',
    ],
    ["application/service/auth.ts", "// Date.now() is not for us\n/** nor is process.env */\nconst url = 'https://example.com'"],
    [
      "adapters/http/origins.ts",
      'import { createServer } from "node:http"\nimport { Auth } from "../../application/service/auth.ts"\nconst now = Date.now()',
    ],
    ["main.ts", 'import { shell } from "./adapters/http/http-shell.ts"\nconst { env } = process'],
  ])("finds none in %s: %s", (path, source) => {
    expect(faultsOf(path, source)).toEqual([])
  })
})

describe("new users", () => {
  it("are added by one file, which asks for an admission", () => {
    const adding = sources.filter((path) => /\binsert\(\s*(\w+\.)?Users\b/.test(withoutComments(readFileSync(join(root, path), "utf8"))))
    expect(adding).toEqual(["domain/users/new-user.ts"])
  })
})

/** Files that compare an expiry by themselves, and why `liveAt` of `domain/storage/live.ts` does not fit. */
const ownExpiries: Readonly<Record<string, string>> = {
  "domain/storage/live.ts": "the rule itself",
  "domain/sessions/session.ts": "a session also ends at its max_lifetime, and its expiry rolls on",
  "domain/limits/rate-limits.ts": "the counters of a window, most of them in the process and not in the store",
  "domain/limits/known-device.ts": "the expiry is in a cookie",
  "domain/mail/outbox-delivery.ts": "the expiry is that of a message, in the sealed payload of a row that does not expire",
  "application/modules/audit/seal.ts": "a seal covers the expiries of its records, and outlives them",
  "application/modules/idp/grants/refresh-grant.ts": "whether the expiry has to be extended",
  "application/modules/idp/clients/agents/agent-clients.ts": "the same",
  "application/modules/idp/clients/agents/open-registration.ts": "the same",
}

const comparesTimes = [
  /\bDateTime\.(is(Less|Greater)Than\w*|isPast\w*|isFuture\w*|between|distance\w*|Order)\b/,
  /\bisReached\(/,
  /\btoEpochMillis\([^)]*expires_at/,
]

/** Whether a declaration of a file both names an expiry (`expires_at`, or `table.expires`) and compares times. */
const comparesExpiry = (source: string) =>
  withoutComments(source)
    .split(/\n(?=[a-z])/)
    .some((code) => /\bexpires_at\b|\.expires\b/.test(code) && comparesTimes.some((pattern) => pattern.test(code)))

describe("expiries are compared in one place", () => {
  it("only the files with a reason compare an expiry by themselves", () => {
    const inner = sources.filter((path) => !path.startsWith("adapters/"))
    const own = inner.filter((path) => comparesExpiry(readFileSync(join(root, path), "utf8")))
    expect(own.toSorted()).toEqual(Object.keys(ownExpiries).toSorted())
  })

  it.each([
    "Option.filter(row, ({ expires_at }) => DateTime.isLessThan(now, expires_at))",
    "const has = (row) => {\n  const { expires_at: end } = row\n\n  return DateTime.isGreaterThanOrEqualTo(now, end)\n}",
    "if (isReached(row.expires_at, now)) return",
    "DateTime.isLessThan(now, row[table.expires])",
    "const left = DateTime.toEpochMillis(row.expires_at) - now",
    "if (yield* DateTime.isPast(row.expires_at)) return",
  ])("finds a comparison by hand: %s", (source) => {
    expect(comparesExpiry(source)).toBe(true)
  })

  it.each([
    "const expires_at = DateTime.add(yield* DateTime.now, { seconds })",
    "const due = rows.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))",
    "const { expires_at, write } = issued\nexport const isDue = (row) => DateTime.isLessThan(now, row.due_at)",
    "// expires_at\nconst due = DateTime.isLessThan(now, due_at)",
    "rows.filter(liveAt(Invitations, now)).map(({ expires_at }) => expires_at)",
  ])("finds none: %s", (source) => {
    expect(comparesExpiry(source)).toBe(false)
  })
})

/** Files that send requests or open connections by themselves, and to whose address. URLs of clients, users and tenants are for `PublicFetch`. */
const ownRequests: Readonly<Record<string, string>> = {
  "adapters/outgoing/public-fetch.ts": "the adapter of PublicFetch",
  "adapters/assembly/node-handler.ts": "calls the service of this process",
  "adapters/http-client.ts": "makes the plain client",
  "adapters/own/http-client.ts": "makes the plain client from the operator's",
  "adapters/http/node-server.ts": "listens only",
  "adapters/telemetry/metrics-server.ts": "listens only",
  "adapters/telemetry/traces.ts": "the collector of the configuration",
  "adapters/certificate-expiry.ts": "the hosts of the configuration",
  "adapters/doctor/application-checks.ts": "the application at public_url",
  "adapters/doctor/doctor.ts": "the services of the configuration",
  "adapters/key-management/aws.ts": "the key management of the configuration",
  "adapters/key-management/vault.ts": "the key management of the configuration",
  "adapters/passwords/pwned-passwords.ts": "the service of the configuration",
  "adapters/postgres/embedded-copies.ts": "another process on this machine",
  "adapters/postgres/url.ts": "the database of the configuration",
  "adapters/sms/twilio.ts": "the gateway of the configuration",
  "adapters/sms/webhook.ts": "the gateway of the configuration",
  "application/modules/social/requests.ts": "the providers of the configuration, and the URLs in their metadata",
}

const sends = [
  /(?:yield\*\s*|[([]\s*)HttpClient\.HttpClient\b/,
  /\b(?:Node|Fetch)HttpClient\.layer\w*/,
  /import \{[^}]*\} from "(?:\.\.\/)*node-http\.ts"/,
  /import \{[^}]*\b(?:connect|request|get|createConnection)\b[^}]*\} from "node:(?:http|https|http2|net|tls|dgram)"/,
  /import \* as \w+ from "node:(?:http|https|http2|net|tls|dgram)"/,
  /(?:import|getBuiltinModule)\("(?:node:(?:http|https|http2|net|tls|dgram)|undici)"/,
  /from "undici"/,
  /(?<![.\w"`])fetch\((?!request: )/,
  /\bnew (?:WebSocket|EventSource|Agent)\(/,
]

/** Whether a file sends requests by another way than `PublicFetch`. */
const sendsRequests = (source: string) => {
  const code = withoutComments(source)
  const guarded = /const \{ fetch \} = yield\* PublicFetch\b/.test(code) ? code.replaceAll(/(?<![.\w])fetch\(/g, "") : code
  return sends.some((pattern) => pattern.test(guarded))
}

describe("requests to addresses that are not the operator's go through one port", () => {
  it("only the files with a reason send requests by themselves", () => {
    const inService = sources.filter((path) => /^(domain|application|adapters)\//.test(path))
    const ofServer = inService.filter(
      (path) => !path.startsWith("adapters/pages/scripts/") && path !== "adapters/pages/assets.generated.ts",
    )
    const own = ofServer.filter((path) => path !== "adapters/node-http.ts" && sendsRequests(readFileSync(join(root, path), "utf8")))
    expect(own.toSorted()).toEqual(Object.keys(ownRequests).toSorted())
  })

  it.each([
    "const client = yield* HttpClient.HttpClient",
    "const client = HttpClient.withScope(yield* HttpClient.HttpClient)",
    "export const sent = Effect.flatMap(HttpClient.HttpClient, ({ execute }) => execute(request))",
    "export const sent = HttpClient.get(url).pipe(Effect.provide(NodeHttpClient.layerUndici))",
    "const response = await fetch(client.jwks_uri)",
    'import { https } from "../node-http.ts"',
    'import { request } from "node:https"',
    'import { isIP, connect } from "node:net"',
    'const { request } = await import("node:https")',
  ])("finds a request: %s", (source) => {
    expect(sendsRequests(source)).toBe(true)
  })

  it.each([
    "const { fetch } = yield* PublicFetch\nreturn yield* fetch({ url })",
    "export type Needs = HttpClient.HttpClient | Store",
    'import { isIP } from "node:net"',
    "// fetch(url)",
  ])("finds none: %s", (source) => {
    expect(sendsRequests(source)).toBe(false)
  })
})
