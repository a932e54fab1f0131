import { define } from "../../../domain/errors.ts"

export const InvalidUsername = define("invalid_username", 400, "A username has 3 to 32 characters: a to z, 0 to 9 and _.", {
  remedy: "Let the user choose another name; letters in upper case are accepted and compared in lower case.",
})
export const UsernameTaken = define("username_taken", 409, "Another user has this username.", {
  remedy: "Let the user choose another name; `GET /username/available` returns whether a name is free.",
})
