import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import { isLocal } from "../../domain/values/url.ts"
import { hasTypes, typesPath } from "../client-types/types-file.ts"
import type { Configuration } from "../config/load.ts"
import { fileOf } from "../config/source.ts"
import { documentOf } from "./service.ts"

/** The types of the client for the enabled modules. */
export const clientTypesOf = Effect.fnUntraced(function* clientTypesOf<R>(auth: Auth<R>, configuration: Configuration) {
  const document = yield* documentOf(auth, configuration)
  const { clientTypes } = yield* Effect.promise(() => import("../client-types/client-types.ts"))
  return clientTypes(JSON.parse(JSON.stringify(document)), "sallyport/client")
})

/** In development, logs that the application's file has the types of another configuration. */
export const warnOfStaleTypes = Effect.fnUntraced(function* warnOfStaleTypes<R>(auth: Auth<R>, configuration: Configuration) {
  const directory = process.cwd()
  const file = join(directory, typesPath)
  const isDevelopment = process.env["NODE_ENV"] !== "production" && isLocal(new URL(configuration.settings.public_url))
  if (!isDevelopment || !existsSync(file)) return
  if (hasTypes(file, yield* clientTypesOf(auth, configuration))) return
  const config = fileOf({ directory }) === null ? " --config FILE" : ""
  yield* Effect.logWarning(`${typesPath} is stale. Update it: npx sallyport types${config} --out ${typesPath}`)
})
