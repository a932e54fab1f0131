import type { Wire } from "../../application/modules/wire.ts"
import type { Call } from "./call.ts"
import type { CoreCalls, ModuleCalls } from "./calls.generated.ts"

/** The part of an endpoint of `extensions` that its call is made of. */
interface Called<I, O> {
  readonly input: { readonly Type: I }
  readonly output: { readonly Type: O }
}
type Every<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type EndpointsOf<M> = M extends { readonly endpoints: infer Es }
  ? Es
  : M extends { readonly build: (settings: any) => { readonly endpoints: infer Es } }
    ? Es
    : Record<never, never>
type CallsOf<Es> = { readonly [K in keyof Es]: Es[K] extends Called<infer I, infer O> ? Call<Wire<I>, Wire<O>> : never }

type Enabled<C> = C extends { readonly modules: infer M } ? (string extends keyof M ? never : keyof M & keyof ModuleCalls) : never
type Extensions<C> = C extends { readonly extensions: ReadonlyArray<infer M> } ? M : never

/** The operations that a configuration enables: those of the core, of the modules under `modules`, and of `extensions`. */
export type Calls<C> = CoreCalls & Every<ModuleCalls[Enabled<C>]> & CallsOf<Every<EndpointsOf<Extensions<C>>>>
