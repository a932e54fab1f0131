import { define } from "../../../domain/errors.ts"

export const EmailTaken = define("email_taken", 409, "Another user has this e-mail address.", {
  remedy: "Let the user enter another address.",
})
