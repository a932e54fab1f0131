import { readdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { whyNoMongo } from "./test/mongo-server.ts"

/** Generous: the first test of a file on an embedded database migrates it, which takes most of a minute on a busy machine. */
const testTimeout = 120_000

/** Vite would resolve the development build of graphql-js, and packages the other one: each refuses the schemas of the other. */
const oneGraphql = { find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql")) }

/**
 * Module, shell and store tests run on the store that `STORE` names, which the project sets. Test files share their modules, which halves
 * the time.
 */
const onStore = (store: string, include: ReadonlyArray<string>, ...globalSetup: Array<string>) => ({
  test: {
    name: store,
    include: [...include],
    env: { STORE: store },
    testTimeout,
    hookTimeout: testTimeout,
    isolate: false,
    globalSetup,
    alias: [oneGraphql],
  },
})

const isWhole = process.env["TESTS"] === "all"
/** Tables of permissions, which no store decides: unless `TESTS=all`, they run in memory. */
const tables = [
  "!test/application/modules/admin/{upward,reach,machine-permissions}.test.ts",
  "!test/application/modules/organization/matrix.test.ts",
  "!test/application/modules/idp/earlier-requests.test.ts",
]

/** What PostgreSQL runs: without long tests of rules to which the store makes no difference. */
const everywhere = [
  "test/{domain,application}/**/*.test.ts",
  "!test/domain/values/**",
  "!test/domain/limits/messages.test.ts",
  "!test/application/service/store-reads.test.ts",
  "test/adapters/http/*.test.ts",
  "test/adapters/graphql/*.test.ts",
  "!test/adapters/graphql/documents.test.ts",
  "test/adapters/mail/delivery.test.ts",
  ...(isWhole ? [] : tables),
]
/** Hostile input and budgets over HTTP take long, and run in memory and on PostgreSQL. The rules below them run on every store. */
const shorter = ["!test/adapters/http/{hostile,*budgets,rate-limit}.test.ts"]
const onPostgres = "test/adapters/postgres"
const onMongo = "test/adapters/mongo/*.test.ts"

/** One file of each module: the one that is named after it, or else the first. */
const oneOfEachModule = () =>
  readdirSync("test/application/modules").map((module) => {
    const files = readdirSync(`test/application/modules/${module}`).filter((name) => name.endsWith(".test.ts"))
    const own = `${module.replaceAll("_", "-")}.test.ts`
    return `test/application/modules/${module}/${files.includes(own) ? own : files.toSorted()[0]}`
  })
/** For the other stores, the rules of the store and of the domain, every endpoint and field, and each module. `TESTS=all`: what PostgreSQL runs. */
const onOtherStores = (...more: ReadonlyArray<string>) =>
  isWhole
    ? [...everywhere, ...shorter]
    : [
        "test/domain/{ports,secrets,sessions,sign-in,storage,users}/**/*.test.ts",
        "!test/domain/storage/anonymous-rows.test.ts",
        "test/application/service/{auth,idempotency,lists}.test.ts",
        ...oneOfEachModule(),
        ...more,
        "test/adapters/http/{specification,identity-provider}.test.ts",
        "test/adapters/graphql/parity-modules.test.ts",
      ]

/** What is found, counted or used once: the queries and commits of MongoDB are its own, while an embedded database gets those of PostgreSQL. */
const foundOrCounted = [
  "test/domain/{attributes,limits,mail,organizations}/**/*.test.ts",
  "!test/domain/limits/messages.test.ts",
  "test/application/modules/admin/{erasure,job-workers,jobs,merge,owners,search,suspension}.test.ts",
  "test/application/modules/attributes/{indexed,members,organizations}.test.ts",
  "test/application/modules/audit/{chain,export,reads}.test.ts",
  "test/application/modules/events/{webhooks,operations}.test.ts",
  "test/application/modules/idp/{consent,device,documents,open-registration,pushed,refresh,token,token-exchange}.test.ts",
  "test/application/modules/organization/{administration,departures,invitations,invited-sign-up,limits,members,teams}.test.ts",
  "test/application/modules/passkey/{authentication,registration}.test.ts",
  "test/application/modules/sessions/{new-browser,report-sign-in}.test.ts",
  "test/application/modules/social/{link,sign-in}.test.ts",
  "test/application/modules/two_factor/{remembered-browsers,sent-codes,sent-sms}.test.ts",
]

/** Mocks a module, so it cannot share modules with other test files. */
const replacesModules = "test/adapters/passwords/password-hasher.test.ts"
/** More than half of the processor time of all tests in memory: `npm run test:slow`. */
const slow = [
  "test/parsers.test.ts",
  "test/site/blocks.test.ts",
  "test/adapters/cli/garbage-collection.test.ts",
  "test/adapters/graphql/documents.test.ts",
  "test/adapters/http/hostile.test.ts",
  "test/adapters/pages/{html,security}.test.ts",
  "test/adapters/pages/console/naughty.test.ts",
  "test/application/modules/organization/properties.test.ts",
  "test/domain/limits/messages.test.ts",
  "test/domain/storage/anonymous-rows.test.ts",
]
const inMemory = onStore("memory", [
  "test/**/*.test.ts",
  ...[...slow, replacesModules, `${onPostgres}/**`, onMongo, "test/package/**", "test/examples/**"].map((path) => `!${path}`),
])

/** Each file has its own modules, since modules such as `test/e2e/endings.ts` register `afterAll` when they are loaded. */
const endToEnd = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  fileParallelism: false,
  isolate: true,
  globalSetup: ["test/built-setup.ts"],
}

/** The end-to-end tests of what several processes share. */
const shared = "{races,oauth-races,administration-races,figures,crash,workers}"

/** Needs a `mongod`. Without one, prints the reason; these projects then have no tests, and running one by name fails. */
const mongo = () => {
  const reason = whyNoMongo()
  if (reason === undefined) {
    const { test } = onStore("mongo", [...onOtherStores(...foundOrCounted), onMongo], "test/mongo-setup.ts")
    return [
      { test },
      {
        test: {
          ...test,
          ...endToEnd,
          name: "e2e-mongo",
          globalSetup: [...endToEnd.globalSetup, "test/mongo-setup.ts"],
          include: [`test/e2e/${shared}.e2e.ts`, "test/e2e/{outage,page-walk,production,upgrade}.e2e.ts"],
        },
      },
    ]
  }
  console.warn(reason)
  return ["mongo", "e2e-mongo"].map((name) => ({ test: { name, include: [] } }))
}

const { test: onPooler } = onStore("postgres", everywhere, "test/pgbouncer-setup.ts")
/** The module and store tests through PgBouncer: each transaction may have another connection. */
const pooled = { test: { ...onPooler, name: "pgbouncer" } }

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    projects: [
      inMemory,
      { test: { ...onStore("memory", slow).test, name: "slow" } },
      { test: { name: "isolated", include: [replacesModules], testTimeout } },
      onStore("embedded", [...onOtherStores(), `${onPostgres}/{migrations,added-columns,own-schema,embedded}.test.ts`]),
      onStore(
        "postgres",
        [
          ...everywhere,
          `${onPostgres}/{migrations,added-columns,own-schema,database,explain,gathered-reads,partitions,replicas,restore-aside,root-certificate}.test.ts`,
        ],
        "test/postgres-setup.ts",
      ),
      pooled,
      ...mongo(),
      { test: { name: "vectors", include: ["test/**/*.vectors.ts"], env: { STORE: "memory" } } },
      { test: { name: "timing", include: ["test/e2e/timing.ts"], ...endToEnd } },
      { test: { name: "examples", include: ["test/examples/*.test.ts"], ...endToEnd } },
      { test: { name: "examples-nightly", include: ["test/examples/*.nightly.ts"], ...endToEnd } },
      { test: { name: "site", include: ["test/site/built.e2e.ts"], ...endToEnd } },
      { test: { name: "package", include: ["test/package/*.test.ts"], ...endToEnd } },
      { test: { name: "e2e-pgbouncer", include: [`test/e2e/${shared}.e2e.ts`], env: { STORE: "pgbouncer" }, ...endToEnd } },
      { test: { name: "e2e-patroni", include: ["test/e2e/failover/*.e2e.ts"], ...endToEnd } },
      { test: { name: "drill", include: ["test/drill/drill.e2e.ts"], ...endToEnd } },
      { test: { name: "e2e", include: ["test/e2e/*.e2e.ts"], ...endToEnd } },
    ],
  },
})
