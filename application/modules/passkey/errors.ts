import { define } from "../../../domain/errors.ts"

export const InvalidPasskey = define(
  "invalid_passkey",
  401,
  "The passkey is unknown or its response does not match the challenge. Start again.",
  { remedy: "Request new options and start again. A passkey that was deleted here can still be offered by the browser." },
)
export const PasskeyExists = define("passkey_exists", 409, "This passkey is registered already.", {
  remedy: "The authenticator has a passkey of this user; sign in with it.",
})
export const PasskeyNotFound = define("passkey_not_found", 404, "This user has no such passkey.", {
  remedy: "Read the passkeys from `GET /passkey/list`.",
})
