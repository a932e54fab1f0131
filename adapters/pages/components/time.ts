import { html } from "@remix-run/html-template"
import type { View } from "../view.ts"

/** A time in UTC. The script of all pages shows it in the zone of the reader. */
export const time = ({ texts }: Pick<View, "texts">, at: string) => html`<time datetime="${at}">${texts.utc(at)}</time>`
