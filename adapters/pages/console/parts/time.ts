import { html } from "@remix-run/html-template"
import type { View } from "../../view.ts"
import { nothing } from "./text.ts"

/** A time with its zone; `none` where there is no time. The script shows it in the zone of the reader. */
export const time = ({ texts }: View, at: string | null, none: string = nothing) =>
  at === null ? none : html`<time datetime="${at}">${texts.utc(at)}</time>`
