import { Schema } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { about, type SettingsValue } from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"

export const Settings = Schema.Struct({
  enabled: Schema.Boolean.pipe(
    Schema.optionalKey,
    about(
      "Whether the service serves its OpenAPI document at `{base_path}/openapi.json` and a reference page at `{base_path}/docs`; `npm start -- openapi` prints the document in any case. Default: true where `public_url` is on this machine, else false.",
    ),
  ),
})
export type Settings = typeof Settings.Type

export const isServed = ({ enabled }: Settings, { public_url }: Pick<SettingsValue, "public_url">): boolean =>
  enabled ?? isLocal(new URL(public_url))

/** The paths of the document and of the page, below `base_path`. */
export const documentPath = "/openapi.json"
export const referencePath = "/docs"

/** The first of the two paths that an endpoint or GraphQL already uses. */
export const takenPath = (
  endpoints: ReadonlyArray<AnyEndpoint>,
  base_path: string,
  graphql: { readonly enabled: boolean; readonly path: string },
): string | undefined => {
  const taken = [...endpoints.map(({ path }) => `${base_path}${path}`), ...(graphql.enabled ? [graphql.path] : [])]
  return [documentPath, referencePath].map((path) => `${base_path}${path}`).find((path) => taken.includes(path))
}
