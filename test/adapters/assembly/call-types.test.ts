import { Schema } from "effect"
import { expect, it } from "vitest"
import type { Call } from "../../../adapters/assembly/call.ts"
import type { CoreCalls, ModuleCalls } from "../../../adapters/assembly/calls.generated.ts"
import { core, named } from "../../../application/modules/index.ts"
import type { EndpointsOfAll } from "../../../application/modules/operations.ts"
import type { Wire } from "../../../application/modules/wire.ts"
import type { Endpoint } from "../../../application/service/endpoint.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { callTypes } from "../../../packaging/call-types.ts"
import { settings } from "../../everything.ts"
import { owned } from "../../owned.ts"

/** The calls of modules, inferred from their endpoints. */
type Inferred<M> = {
  readonly [K in keyof EndpointsOfAll<M>]: EndpointsOfAll<M>[K] extends Endpoint<infer I, infer O, any> ? Call<Wire<I>, Wire<O>> : never
}
type Modules = { readonly [Key in keyof typeof named]: Inferred<(typeof named)[Key]> }

/** `npm run check` fails unless the values of each type are values of the other. */
export const assigned = {
  core: (given: Inferred<(typeof core)[number]>): CoreCalls => given,
  ofCore: (given: CoreCalls): Inferred<(typeof core)[number]> => given,
  modules: (given: Modules): ModuleCalls => given,
  ofModules: (given: ModuleCalls): Modules => given,
}

/** Only with keys of its own, `jwt` has an endpoint for them. */
const signing = { algorithm: "EdDSA" }

it("calls.generated.ts has the types of the endpoints; `npm run client:update` writes them", async () => {
  const built: Record<string, AnyModule> = {}
  for (const [key, { settings: schema, build }] of Object.entries(named))
    built[key] = build(Schema.decodeUnknownSync(schema as Schema.Codec<never>)(key === "jwt" ? signing : settings[key]), owned)
  await expect(callTypes(core, built, Object.keys(owned.events))).toMatchFileSnapshot("../../../adapters/assembly/calls.generated.ts")
})
