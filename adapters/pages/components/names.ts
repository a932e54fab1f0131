import { html, type SafeHtml } from "@remix-run/html-template"
import { browserName } from "../../../domain/values/browser-name.ts"
import type { View } from "../view.ts"
import { inParts } from "./direction.ts"

/** A name that a user chose, which can have another direction than the page. */
export const named = (name: string) => html`<bdi>${name}</bdi>`

/** The label of a button or link that stands once for each thing of a list: readers of the screen also get the name of the thing. */
export const labelFor = (label: string, thing: string | SafeHtml) => html`${label}<span class="hidden-text"> ${thing}</span>`

/** A role in words; roles of the configuration have their own names. */
export const roleName = ({ texts }: View, role: string) => texts.find(`role.${role}`) ?? html`<bdi>${inParts(role)}</bdi>`

/** A browser in words, by its `User-Agent`, as in mails; null if it is unknown. */
export const deviceName = ({ texts }: View, userAgent: string | null): string | null => {
  const known = browserName(userAgent)
  return known === null ? null : texts.t("device.known", { ...known })
}
