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
