import { Effect } from "effect"
import * as Core from "../../../domain/settings.ts"

/** The issuer identifier, which is also the base URL for OpenID Connect Discovery. */
export const issuer = Effect.map(Core.Settings, ({ public_url, base_path }) => `${public_url}${base_path}`)
