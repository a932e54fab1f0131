import { html } from "@remix-run/html-template"
import type { View } from "../../view.ts"

/** A time with its zone. The script shows it in the zone of the reader. */
export const time = ({ texts }: View, at: string) => html`<time datetime="${at}">${texts.utc(at)}</time>`

/** The same; a text where there is no time. */
export const timeOr = (view: View, at: string | null, none: string) => (at === null ? none : time(view, at))
