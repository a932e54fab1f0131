import { define } from "../../../domain/errors.ts"

export const Banned = define("banned", 403, "This account is banned.", {
  remedy: "An administrator can lift the ban with `POST /admin/unban-user`. The response clears the session cookie.",
  session: "clear",
})

export const VersionMismatch = define("version_mismatch", 412, "This has changed since you read it.", {
  remedy: "Read it again, and repeat the change with the new `version` if it is still wanted.",
})

export const VersionRequired = define("version_required", 428, "This service changes nothing without the version that you have read.", {
  remedy: "Send the `version` of the object as `expected_version`, or as `If-Match`.",
})
