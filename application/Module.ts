import { type Effect, Schema } from "effect"
import type { AuthError } from "../domain/Errors.ts"
import type { AnyEndpoint, Reply } from "./Endpoint.ts"
import type { AnyTable } from "./Table.ts"

/** One exact path, several, or all. */
export type Paths = "*" | ReadonlyArray<`/${string}`>

/** Runs before or after the handler of these paths: it may rewrite the input or the reply, or fail in their place. */
export type Hook<R> =
  | { readonly on: Paths; readonly before: (input: any, path: string) => Effect.Effect<unknown, AuthError, R> }
  | { readonly on: Paths; readonly after: (reply: Reply<any>, path: string) => Effect.Effect<Reply<any>, AuthError, R> }

/** What a module brings. Leaving the module out of the list removes all of it. */
export interface Parts<Es extends Readonly<Record<string, AnyEndpoint>>, R> {
  readonly tables?: ReadonlyArray<AnyTable>
  readonly endpoints?: Es
  readonly hooks?: ReadonlyArray<Hook<R>>
}

/** A module with its settings in place. */
export interface Module<out Es extends Readonly<Record<string, AnyEndpoint>>, out R> {
  readonly name: string
  readonly tables: ReadonlyArray<AnyTable>
  readonly endpoints: Es
  readonly hooks: ReadonlyArray<Hook<any>>
  readonly "~needs": R | undefined
}
export type AnyModule = Module<any, any>

type NeedsOfEndpoints<Es> = {
  [E in keyof Es]: Es[E] extends { handler: (input: any) => Effect.Effect<any, any, infer R> } ? R : never
}[keyof Es]
export type Needs<M> = M extends Module<infer Es, infer R> ? R | NeedsOfEndpoints<Es> : never

/** A feature: its name is its key under `modules` in the configuration, `settings` what may stand there. */
export interface Definition<S, Es extends Readonly<Record<string, AnyEndpoint>>, R> {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  readonly build: (settings: S) => Module<Es, R>
}
export type AnyDefinition = Definition<any, any, any>

/** Declares a feature in one value: settings with their defaults, and what it brings under them. */
export const define = <S, const Es extends Readonly<Record<string, AnyEndpoint>> = Record<never, never>, R = never>(feature: {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  readonly parts: (settings: S) => Parts<Es, R>
}): Definition<S, Es, R> => ({
  name: feature.name,
  settings: feature.settings,
  build: (settings) => {
    const { tables = [], endpoints = {} as Es, hooks = [] } = feature.parts(settings)
    return { name: feature.name, tables, endpoints, hooks, "~needs": undefined }
  },
})

/** The settings of a feature that has none. A struct without fields takes anything, so what stands there is looked at. */
export const NoSettings = Schema.Struct({}).check(
  Schema.makeFilter((value) => typeof value === "object" && Object.keys(value).length === 0, {
    expected: "{}, since there is nothing to set",
  }),
)
