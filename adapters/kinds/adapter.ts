import { Effect, type Schema } from "effect"
import type { SettingsValue } from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import type { Fault } from "../configuration-faults.ts"

/** A line of `doctor`: succeeds with a description of the healthy state and fails with the fault. */
export type Check = Effect.Effect<string, string>

/** An environment variable that overrides a setting of an adapter. */
interface Variable {
  readonly name: string
  readonly key: string
  /** Whether a value also selects this adapter. Without it, the variable counts only where this adapter is selected already. */
  readonly selects?: (value: string) => boolean
}

/** One way to do the work of a port, as a value. The configuration selects it by its kind and decodes its settings. */
export interface Adapter<Settings extends Schema.Codec<any, any>, Selected> {
  /** Undefined for an object of the application, which has methods in place of settings. */
  readonly kind: string | undefined
  readonly settings: Settings
  readonly variables?: ReadonlyArray<Variable>
  /** Faults that the schema cannot find, with paths below the section of the configuration. */
  faults?(settings: Settings["Type"]): ReadonlyArray<Fault>
  /** The adapter with its settings. Opens nothing and loads no library. */
  select(settings: Settings["Type"]): Selected
}

/** Declares an adapter with what it selects. */
export const adapterFor =
  <Selected>() =>
  <const S extends Schema.Codec<any, any>>(adapter: Adapter<S, Selected>) =>
    adapter

/** The adapters of one section of the configuration. */
export type Adapters<Selected> = ReadonlyArray<Adapter<Schema.Codec<any, any>, Selected>>

/** The adapter that these settings are for. */
export const adapterOf = <Selected>(adapters: Adapters<Selected>, { kind }: { readonly kind?: string | undefined }) => {
  const adapter = adapters.find((each) => each.kind === kind)
  if (adapter === undefined) throw new Error(`no adapter of the kind ${kind}`)
  return adapter
}

/** The kinds in words: `"smtp", "console" or "none"`. */
export const kindsOf = (adapters: ReadonlyArray<{ readonly kind: string | undefined }>): string => {
  const kinds = adapters.flatMap(({ kind }) => (kind === undefined ? [] : [`"${kind}"`]))
  return [kinds.slice(0, -1).join(", "), ...kinds.slice(-1)].join(" or ")
}

/** A setting for development: a fault unless `public_url` is on this machine. */
export const developmentOnly = ({ public_url }: SettingsValue, state: string, key: string): Check =>
  isLocal(new URL(public_url)) ? Effect.succeed(state) : Effect.fail(`${state}, and ${public_url} is not this machine: change ${key}`)
