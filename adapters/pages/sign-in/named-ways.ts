import { Effect } from "effect"
import { InvalidCredentials } from "../../../domain/errors.ts"
import { withIcon } from "../components/icons.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { completeSignIn } from "./complete.ts"
import type { Named } from "./method-names.ts"
import { send, sendTo } from "./send.ts"

/** The label of the button of a way that sends the entered name. */
export const labelOf = ({ texts: { t } }: View, method: Named) => {
  if (method === "password") return t("sign_in.submit")
  if (method === "email_code") return withIcon("envelope", t("sign_in.email_code"))
  if (method === "magic_link") return withIcon("envelope", t("sign_in.magic_link"))
  return withIcon("phone", t("sign_in.phone_code"))
}

const isNumber = (name: string) => /^[+(]?\d[\d\s()./\p{Pd}]*$/u.test(name)

/** The ways that an entered name can be used with. It decides by the text alone, so that it says nothing about whether an account exists. */
export const fitting = (name: string, ways: ReadonlyArray<Named>, hasUsernames: boolean): ReadonlyArray<Named> => {
  const isAddress = name.includes("@")
  return ways.filter((way) => {
    if (way === "password") return isAddress || (hasUsernames && name !== "")
    return way === "phone_code" ? isNumber(name) : isAddress
  })
}

/** The refusal of a user name, which the text of the error calls an email address. */
const wrongUsername = () => Effect.fail(new InvalidCredentials({ reason: "username_or_password" }))

const passwordSignIn = Effect.gen(function* () {
  const { form, has, call, setFlow } = yield* Visit
  const identifier = field(form, "identifier").trim()
  const password = field(form, "password")
  setFlow({ identifier })
  const isUsername = !identifier.includes("@") && has("signInUsername")
  const body = isUsername
    ? yield* Effect.catchTag(call("signInUsername", { username: identifier, password }), "invalid_credentials", wrongUsername)
    : yield* call("signInEmail", { email: identifier, password })
  return yield* completeSignIn(body, identifier, "password")
})

/** The password was right, but the address is not verified: mails the link again. A visitor who signed in by a user name enters the address first. */
const unverified = Effect.gen(function* () {
  const { view, form, setFlow } = yield* Visit
  const identifier = field(form, "identifier").trim()
  setFlow({ problem: "error.email_not_verified" })
  return identifier.includes("@") ? yield* send("verify", identifier) : { to: view.href("/verify-email") }
})

/** The buttons of these ways, whose form has the name as `identifier`. */
export const namedActions = {
  password: Effect.catchTag(passwordSignIn, "email_not_verified", () => unverified),
  email_code: sendTo("email_code", "identifier"),
  magic_link: sendTo("magic_link", "identifier"),
  phone_code: sendTo("phone_code", "identifier"),
}
