import { Option } from "effect"
import { Base64Url } from "effect/encoding"

/** Decodes canonical base64url only: a second spelling would be a second cookie for the same session, or a second token for the same signature. */
export const strictBase64Url = (text: string): Option.Option<Uint8Array> => {
  const bytes = Base64Url.decode(text)
  return bytes._tag === "Success" && Base64Url.encode(bytes.success) === text ? Option.some(bytes.success) : Option.none()
}
