import { Effect, Option, Schema } from "effect"
import { isPublicUrl } from "../../../../domain/values/public-address.ts"
import { isPrivateUrl } from "../../../../domain/values/url.ts"
import { InvalidClientMetadata } from "../errors.ts"
import { publicUrl } from "./client.ts"
import { fetchedBytes } from "./client-keys.ts"

const Uris = Schema.fromJsonString(Schema.Array(Schema.String))

/**
 * Fails unless the file at `sector_identifier_uri` lists all redirect URIs: otherwise a client could claim the sector of another one
 * (OpenID Connect Registration section 5). With `public_only` the file must be at a public address.
 */
export const checkSectorIdentifier = Effect.fnUntraced(function* checkSectorIdentifier(
  uri: string | undefined,
  redirect_uris: ReadonlyArray<string>,
  public_only: boolean,
) {
  if (uri === undefined) return
  if (public_only && !isPublicUrl(uri)) return yield* new InvalidClientMetadata({ message: `sector_identifier_uri: wanted ${publicUrl}` })
  const content = isPrivateUrl(uri) ? yield* fetchedBytes(uri, !public_only) : Option.none()
  const listed = Option.flatMap(content, (bytes) => Schema.decodeUnknownOption(Uris)(new TextDecoder().decode(bytes)))
  const isListed = Option.exists(listed, (uris) => redirect_uris.every((each) => uris.includes(each)))
  if (!isListed) return yield* new InvalidClientMetadata({ message: "sector_identifier_uri: wanted a file with all redirect_uris" })
})
