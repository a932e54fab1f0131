import { createHash } from "node:crypto"
import { Effect } from "effect"
import { VersionMismatch } from "../../../../domain/errors.ts"
import { field, Visit } from "../../page.ts"

/** Changes with each change of what is shown, for endpoints that return no version. */
export const versionOf = (shown: unknown): string => createHash("sha256").update(JSON.stringify(shown)).digest("base64url")

/** Fails if this is no longer what the visitor saw when the form was opened. The endpoint that follows takes no version. */
export const requireSame = Effect.fnUntraced(function* requireSame(shown: unknown) {
  const { form } = yield* Visit
  if (field(form, "version") !== versionOf(shown)) return yield* new VersionMismatch()
})
