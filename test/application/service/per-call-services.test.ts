import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Schema } from "effect"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import { modules as everything } from "../../everything.ts"
import { bringing, signedUp, world } from "../../world.ts"

// A cache whose key is a service that each call makes anew never hits.

const seen: Array<ReadonlyMap<string, unknown>> = []
const probe = Endpoint.make({
  method: "POST",
  path: "/probe",
  summary: "Keeps the services of the call.",
  access: "session",
  input: Endpoint.NoInput,
  output: Schema.Struct({}),
  handler: () =>
    Effect.contextWith((services: Context.Context<never>) => {
      seen.push(new Map(services.mapUnsafe))
      return Effect.succeed(Endpoint.reply({}))
    }),
})

/** The keys of the services that differ between two calls, with all modules. */
const perCall = Effect.gen(function* () {
  const auth = AuthOf.make([...everything, bringing(probe)])
  const their = yield* signedUp("ada@example.com", auth)
  for (const _ of [1, 2]) yield* their.body(probe)
  const [first = new Map(), second = new Map()] = seen
  return [...second].flatMap(([key, service]) => (first.get(key) === service ? [] : [key]))
}).pipe(Effect.provide(world([...everything, bringing(probe)])))

const root = join(import.meta.dirname, "../../..")
const sources = ["domain", "application"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ path: `${folder}/${name}`, code: readFileSync(join(root, folder, name), "utf8") })),
)

/** The names of a service and of its type, by the key of the service. */
const namesOf = (key: string) =>
  sources.flatMap(({ code }) => {
    const declared = /class (\w+) extends Context\.Service<\s*\1,\s*(\w*)[\s\S]*?\(\)\(\s*"([^"]+)"/g
    return [...code.matchAll(declared)].flatMap(([, name, type, own]) => (own === key ? [name ?? "", type ?? ""] : []))
  })

/** The maps in a source whose keys are one of these types, and weak maps whose keys have no declared type. */
const faultsIn = (code: string, types: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...code.matchAll(/new (?:Weak)?Map(?:<([^,>]+))?/g)].flatMap(([found, key]) => {
    const isPerCall = types.some((type) => type !== "" && new RegExp(`\\b${type}\\b`).test(key ?? ""))
    return isPerCall || (key === undefined && found === "new WeakMap") ? [found] : []
  })

describe("a map", () => {
  it.effect("has no key that is a service of one call", () =>
    Effect.gen(function* () {
      const keys = yield* perCall
      assert.includeMembers(keys, ["sallyport/Store"])
      const types = keys.flatMap(namesOf)
      assert.includeMembers(types, ["Store", "StoreService", "Caller", "CurrentSession"])
      const faults = sources.flatMap(({ path, code }) => faultsIn(code, types).map((fault) => `${path}: ${fault}`))
      assert.deepStrictEqual(faults, [])
    }),
  )

  it("with such a key would be found", () => {
    for (const code of ["new WeakMap<StoreService, Cached>()", 'new Map<Store["Service"], A>()', "new WeakMap()"])
      assert.lengthOf(faultsIn(code, ["Store", "StoreService"]), 1)
    for (const code of ['new WeakMap<Keys["Service"], A>()', "new Map<string, StoreService>()", "new Map()"])
      assert.lengthOf(faultsIn(code, ["Store", "StoreService"]), 0)
  })
})
