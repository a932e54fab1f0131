import type { Layer, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { KeyManagement } from "../../domain/ports/key-management.ts"
import type { Adapter } from "./adapter.ts"

/** A selected key management. */
export interface SelectedKeyManagement {
  readonly layer: Layer.Layer<KeyManagement, never, HttpClient.HttpClient>
  /** Bound to every wrapped secret; null if it wraps none. */
  readonly context: string | null
}
export type KeyAdapter<S extends Schema.Codec<any, any>> = Adapter<S, SelectedKeyManagement>
export const keyAdapter = <const S extends Schema.Codec<any, any>>(adapter: KeyAdapter<S>): KeyAdapter<S> => adapter
