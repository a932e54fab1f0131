import { Effect } from "effect"
import { Settings } from "../settings.ts"

/** Pages of `public_url` that links lead to when the configuration names no others. */
const pages = {
  verify_email: "/verify-email?token={token}",
  reset_password: "/reset-password?token={token}",
  change_email: "/verify-email?token={token}",
  magic_link: "/magic-link?token={token}",
  invitation: "/accept-invitation?invitation_id={invitation_id}",
} as const

/** A link for a letter: the configured template with `{token}`, `{email}` and the like filled in, URL-encoded. */
export const link = Effect.fnUntraced(function* link(page: keyof typeof pages, values: Readonly<Record<string, string>>) {
  const { links, public_url } = yield* Settings
  const template = links[page] ?? `${public_url}${pages[page]}`
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? encodeURIComponent(values[name]!) : whole))
})
