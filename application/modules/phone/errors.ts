import { define } from "../../../domain/errors.ts"

export const PhoneTaken = define("phone_taken", 409, "Another user has this phone number.", {
  remedy: "Let the user enter another number.",
})
