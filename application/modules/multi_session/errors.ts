import { define } from "../../../domain/errors.ts"

export const SessionNotFound = define("session_not_found", 404, "This browser has no such session.", {
  remedy: "Read the sessions of this browser from `GET /multi-session/list`.",
})
