import { providerNameIn } from "../../texts/provider-name.ts"
import type { View } from "../view.ts"

/** The kinds of credentials by their names in events, linked accounts and tables of factors. */
const kinds = {
  credential: "account.password",
  passkey: "account.passkey.title",
  totp: "account.authenticator",
  two_factor: "account.authenticator",
  email_code: "account.email_codes",
  two_factor_email: "account.email_codes",
  sms_code: "account.sms_codes",
  two_factor_sms: "account.sms_codes",
  backup_codes: "account.recovery.title",
  remembered_browser: "account.remembered",
  phone: "account.phone",
  siwe: "account.wallet",
} as const

/** What a user knows a kind of credential by; others are of a provider. */
export const credentialKindName = ({ texts }: Pick<View, "texts">, kind: string) =>
  Object.hasOwn(kinds, kind) ? texts.t(kinds[kind as keyof typeof kinds]) : providerNameIn(texts, kind)
