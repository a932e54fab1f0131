import { providerNameIn } from "../../../texts/provider-name.ts"
import type { Output } from "../../page.ts"
import type { ConsoleView } from "../screen.ts"
import { badge } from "./values.ts"

type User = Output<"adminUsersList">["users"][number]

/** Whether a user can sign in. */
export const stateOf = (
  { texts }: ConsoleView,
  { banned, email_verified, is_guest }: Pick<User, "banned" | "email_verified" | "is_guest">,
) => {
  if (banned) return badge("stopped", texts.t("console.state.suspended"))
  if (is_guest === true) return badge("open", texts.t("console.state.guest"))
  return email_verified ? badge("good", texts.t("console.state.active")) : badge("open", texts.t("console.state.unverified"))
}

const kinds = {
  credential: "account.password",
  passkey: "account.passkey.title",
  phone: "account.phone",
  siwe: "account.wallet",
  two_factor: "account.authenticator",
  two_factor_email: "account.email_codes",
} as const

/** A way to sign in, in words. */
export const kindOf = ({ texts }: ConsoleView, kind: string) =>
  Object.hasOwn(kinds, kind) ? texts.t(kinds[kind as keyof typeof kinds]) : providerNameIn(texts, kind)
