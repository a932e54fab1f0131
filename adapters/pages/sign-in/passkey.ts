import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form, scriptFault } from "../components/form.ts"
import { withIcon } from "../components/icons.ts"
import { enteredJson } from "../entered.ts"
import { type Input, type Resource, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { completeSignIn } from "./complete.ts"

/** The button for passkeys. Without scripts, which passkeys need, it is hidden. */
export const passkeyForm = (view: View, submit: string, mark: string | null = null) =>
  html`<div hidden data-passkey="${view.href("/sign-in/passkey-options")}">${form(view, {
    action: "passkey",
    submit: withIcon("passkey", submit),
    mark,
    look: "secondary",
    hidden: { response: "" },
  })}${scriptFault(view)}</div>`

/** The options for the browser's passkeys: for any passkey, since the browser lists its own. */
export const passkeyOptions: Resource = {
  path: "/sign-in/passkey-options",
  access: "public",
  needs: ["passkeyAuthenticateOptions"],
  answer: Effect.flatMap(Visit, ({ call }) => call("passkeyAuthenticateOptions")),
}

export const passkeySignIn = Effect.gen(function* () {
  const { call } = yield* Visit
  const response = yield* enteredJson<Input<"passkeyAuthenticateVerify">["response"]>("response")
  return yield* completeSignIn(yield* call("passkeyAuthenticateVerify", { response }), undefined, "passkey")
})
