import { define } from "../../../domain/errors.ts"

export const Banned = define("banned", 403, "This account is banned.", {
  remedy: "An administrator can lift the ban with `POST /admin/unban-user`. The response clears the session cookie.",
  session: "clear",
})
