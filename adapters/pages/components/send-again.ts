import { html } from "@remix-run/html-template"
import type { View } from "../view.ts"
import { form } from "./form.ts"

interface Props {
  readonly submit: string
  /** Seconds until the message can be sent again. */
  readonly wait: number
}

/** The button that sends a message again, and how long visitors have to wait for that. A script counts the seconds. */
export const sendAgainForm = (view: View, { submit, wait }: Props) => {
  const time = html`<bdi dir="ltr">${clock(wait)}</bdi>`
  return html`${form(view, { action: "again", submit, look: "secondary" })}
${wait === 0 ? null : html`<p class="hint wait" data-countdown="${wait}">${view.texts.rich("sent.wait", { time })}</p>`}`
}

/** Minutes and seconds, such as `0:30`. */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
