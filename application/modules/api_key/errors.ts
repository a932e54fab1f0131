import { define } from "../../../domain/errors.ts"

export const ApiKeyNotFound = define("api_key_not_found", 404, "There is no such API key.", {
  remedy: "Read the keys from `GET /api-key/list`, or as an administrator from `GET /admin/api-keys/list`.",
})

export const TooManyApiKeys = define("too_many_api_keys", 409, "This owner has as many API keys as are possible.", {
  remedy: "Revoke a key that is no longer used.",
})
