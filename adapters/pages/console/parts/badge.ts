import { html } from "@remix-run/html-template"

/** The shape of each state. Readers of the screen get the word only. */
const shapes = { good: "●", stopped: "■", open: "◇", waiting: "◔", failed: "✕" } as const
export type State = keyof typeof shapes

/** A state as a word, a shape and a colour. */
export const badge = (state: State, label: string) =>
  html`<span class="badge ${state}"><span aria-hidden="true">${shapes[state]}</span> ${label}</span>`
