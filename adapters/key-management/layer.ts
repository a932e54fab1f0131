import { Layer } from "effect"
import * as HttpClient from "../http-client.ts"
import { adapterOf } from "../kinds/adapter.ts"
import type { SelectedKeyManagement } from "../kinds/key-management.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import type { OwnHttpClient as OwnClient } from "../own/ports.ts"
import { type KeyManagementSettings, keyManagements } from "./adapters.ts"

/** What selects a key management. */
export interface Selected {
  readonly key_management: KeyManagementSettings
  /** Your own HTTP client. */
  readonly http?: OwnClient | undefined
}

const selected = ({ key_management }: Selected): SelectedKeyManagement => adapterOf(keyManagements, key_management).select(key_management)

/** The configured key management. */
export const layer = (selection: Selected) =>
  selected(selection).layer.pipe(Layer.provide(selection.http === undefined ? HttpClient.layer : OwnHttpClient.layer(selection.http)))

/** What is bound to every wrapped secret; null without a key management. */
export const contextOf = (selection: Selected): string | null => selected(selection).context
