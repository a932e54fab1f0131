import type { Layer } from "effect"
import type { HttpClient } from "effect/http"
import type { KeyManagement } from "../../domain/ports/key-management.ts"
import { adapterFor } from "./adapter.ts"

/** A selected key management. */
export interface SelectedKeyManagement {
  readonly layer: Layer.Layer<KeyManagement, never, HttpClient.HttpClient>
  /** Bound to every wrapped secret; null if it wraps none. */
  readonly context: string | null
}
export const keyAdapter = adapterFor<SelectedKeyManagement>()
