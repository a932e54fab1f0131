import { Effect } from "effect"
import { Settings } from "../settings.ts"

/** Default link targets, below `public_url`. */
const pages = {
  verify_email: "/verify-email?token={token}",
  reset_password: "/reset-password?token={token}",
  change_email: "/verify-email?token={token}",
  magic_link: "/magic-link?token={token}",
  sign_up: "/sign-up",
  report_sign_in: "/report-sign-in?token={token}",
  invitation: "/accept-invitation?invitation_id={invitation_id}&token={token}",
  device: "/device?user_code={user_code}",
} as const

/** The configured address of a page, or its default. */
export const templateOf = (page: keyof typeof pages) =>
  Effect.map(Settings, ({ links, public_url }) => links[page] ?? `${public_url}${pages[page]}`)

/** A link for a mail: the template with its placeholders, such as `{token}` and `{email}`, replaced by URL-encoded values. */
export const link = Effect.fnUntraced(function* link(page: keyof typeof pages, values: Readonly<Record<string, string>>) {
  return filled(yield* templateOf(page), values)
})

/** The link by which a user whom an administrator created chooses the first password. */
export const choosePasswordLink = Effect.fnUntraced(function* choosePasswordLink(values: Readonly<Record<string, string>>) {
  const { links } = yield* Settings
  return links.choose_password === undefined ? yield* link("reset_password", values) : filled(links.choose_password, values)
})

/** The link of a mail about an account that exists already; undefined if such mails are not sent. */
export const existingAccountLink = Effect.map(Settings, ({ links }) => links.existing_account)

/** A template with these values, URL-encoded, in place of its placeholders. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => (name in values ? encodeURIComponent(values[name]!) : placeholder))
