import { Layer } from "effect"
import * as HttpClient from "../http-client.ts"
import { loaded } from "../loaded.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import * as Local from "./local.ts"
import type { KeyManagementSettings } from "./settings.ts"

/** What selects a key management. */
export interface Selected {
  readonly key_management: KeyManagementSettings
  /** Your own HTTP client. */
  readonly http?: OwnHttpClient.OwnHttpClient | undefined
}

/** The configured key management. */
export const layer = ({ key_management, http }: Selected) =>
  adapterOf(key_management).pipe(Layer.provide(http === undefined ? HttpClient.layer : OwnHttpClient.layer(http)))

const adapterOf = (settings: KeyManagementSettings) => {
  if (settings.kind === "vault") return loaded(async () => (await import("./vault.ts")).layer(settings))
  if (settings.kind === "aws") return loaded(async () => (await import("./aws.ts")).layer(settings))
  return Local.layer
}
