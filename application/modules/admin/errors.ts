import { define } from "../../../domain/errors.ts"

export const Banned = define("banned", 403, "This account is banned.", {
  remedy: "An administrator can lift the ban with `POST /admin/unban-user`. The response clears the session cookie.",
  session: "clear",
})

export const Suspended = define("suspended", 403, "This account is suspended.", {
  remedy: "An administrator can end the suspension with `POST /admin/users/resume`. The response clears the session cookie.",
  session: "clear",
})

export const LastAdministrator = define("last_administrator", 400, "At least one administrator without an end stays.", {
  remedy: "Make another user an administrator first, with `POST /admin/set-role` or `npm start -- user make-admin`.",
})

export const ServiceAccountNotFound = define("service_account_not_found", 404, "There is no such service account.", {
  remedy: "Read the service accounts from `GET /admin/service-accounts/list`.",
})

export const TooMany = define("too_many", 409, "No more of these can be added.", {
  remedy: "Take away what is no longer needed, such as roles that have ended.",
})

export const IndexBuilding = define("index_building", 409, "The index of this attribute does not have all users yet.", {
  remedy: "Repeat the request later: the service adds the users in the background.",
})

export { JobNotFound } from "./jobs/errors.ts"
export { MessageNotFound } from "./operations/errors.ts"
