import { Option } from "effect"
import { Base64Url } from "effect/encoding"

/** Two spellings of one value would be two cookies for one session, two tokens for one signature: only the canonical one is read. */
export const strictBase64Url = (text: string): Option.Option<Uint8Array> => {
  const bytes = Base64Url.decode(text)
  return bytes._tag === "Success" && Base64Url.encode(bytes.success) === text ? Option.some(bytes.success) : Option.none()
}
