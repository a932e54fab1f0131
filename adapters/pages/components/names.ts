import { html } from "@remix-run/html-template"
import { browserName } from "../../../domain/values/browser-name.ts"
import type { View } from "../view.ts"

/** A name that a user chose, which can have another direction than the page. */
export const named = (name: string) => html`<bdi>${name}</bdi>`

/** A role in words; roles of the configuration have their own names. */
export const roleName = ({ texts }: View, role: string) => texts.find(`role.${role}`) ?? named(role)

/** A browser in words, by its `User-Agent`, as in mails; null if it is unknown. */
export const deviceName = ({ texts }: View, userAgent: string | null): string | null => {
  const known = browserName(userAgent)
  return known === null ? null : texts.t("device.known", { ...known })
}
