import type { Endpoint } from "../service/endpoint.ts"
import type { Module } from "../service/module.ts"
import type { core, named } from "./index.ts"
import type { Wire } from "./wire.ts"

type EndpointsOf<M> =
  M extends Module<infer Es, any> ? Es : M extends { readonly build: (settings: any) => Module<infer Es, any> } ? Es : Record<never, never>
type Every<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never

/** The endpoints of modules, by their names. */
export type EndpointsOfAll<M> = Every<EndpointsOf<M>>

/** The inputs and outputs of endpoints, as JSON. */
export type OperationsOf<Es> = {
  readonly [K in keyof Es]: Es[K] extends Endpoint<infer I, infer O, any> ? { readonly input: Wire<I>; readonly output: Wire<O> } : never
}

/** The operations of the core and of every module that the configuration can enable. */
export interface Operations extends OperationsOf<EndpointsOfAll<(typeof core)[number] | (typeof named)[keyof typeof named]>> {}
