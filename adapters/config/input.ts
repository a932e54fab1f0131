import type { ConfigurationKeys, ModuleSettings } from "./configuration.generated.ts"

// The types of a configuration as it is written, without those of Effect, which an application would compile.

/** A module that `Module.define` has made; its settings are under `modules`. */
interface OwnDefinition {
  readonly name: string
  readonly settings: { readonly Encoded: unknown }
  readonly faults: (...given: never) => unknown
  readonly build: (...given: never) => OwnModule
}
/** A module that is built already. */
interface OwnModule {
  readonly name: string
  readonly endpoints: object
  readonly pages: ReadonlyArray<unknown>
  readonly events: object
  readonly "~needs": unknown
}
export type AnyExtension = OwnDefinition | OwnModule

type Written<D> = D extends { readonly settings: { readonly Encoded: infer Settings } } ? Settings : never
type OwnName<E> = E extends { readonly name: infer Name extends string; readonly settings: unknown } ? Name : never

/** The keys under `modules`: the built-in modules, and the definitions among `extensions`. */
export type ModuleName<E = never> = keyof ModuleSettings | OwnName<E>
/** `true` is `{}`, and `false` is no key. Extensions are on anyway. */
type SettingsOf<E, Name> = Name extends keyof ModuleSettings
  ? ModuleSettings[Name] | boolean
  : Written<Extract<E, { readonly name: Name }>> | true

/** The content of a configuration file. The secret can be in the environment. */
export interface Input<E = never, Name extends ModuleName<E> = ModuleName<E>> extends ConfigurationKeys {
  readonly $schema?: string
  readonly modules?: { readonly [N in Name]?: SettingsOf<E, N> }
  readonly extensions?: ReadonlyArray<[E] extends [never] ? AnyExtension : E>
}

/** The same as an argument, of which the compiler infers the extensions and the enabled modules. */
export type Given<E extends AnyExtension, Name extends ModuleName<E>> = Input<E, Name> & { readonly extensions?: ReadonlyArray<E> }

/** Returns its argument, so that the compiler checks the content of a configuration file. */
export const defineConfig = <const E extends AnyExtension = never, const Name extends ModuleName<E> = never>(
  input: Given<E, Name>,
): Given<E, Name> => input
