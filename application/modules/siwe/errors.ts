import { define } from "../../../domain/errors.ts"

export const InvalidSignature = define("invalid_signature", 401, "The signature does not match the address and the message.", {
  remedy: "Have the wallet sign exactly the text of `message` with the address in it.",
})
