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

/** How users sign in, by the modules. */
const methods = {
  email_password: "account.password",
  username: "account.password",
  passkey: "account.passkey.title",
  magic_link: "account.activity.magic_link",
  email_otp: "account.activity.email_otp",
  phone: "account.phone",
  siwe: "account.wallet",
  social: "account.activity.social",
  two_factor: "account.authenticator",
} as const

/** A way to sign in, by the module that offers it; null if it is one of an extension. */
export const signInMethodName = ({ texts }: Pick<View, "texts">, method: string) =>
  Object.hasOwn(methods, method) ? texts.t(methods[method as keyof typeof methods]) : null

/** What a user knows a kind of credential by; others are of a provider. */
export const credentialKindName = ({ texts }: Pick<View, "texts">, kind: string) =>
  Object.hasOwn(kinds, kind) ? texts.t(kinds[kind as keyof typeof kinds]) : providerNameIn(texts, kind)
