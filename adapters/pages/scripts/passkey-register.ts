// Adds a passkey: explains what happened, and sends the browser's response with the form.
import { browserSupportsWebAuthn, startRegistration, WebAuthnError } from "@simplewebauthn/browser"

interface Signals {
  readonly signalUnknownCredential?: (options: object) => Promise<void>
}

type Outcome = "unsupported" | "cancelled" | "exists" | "unverified" | "failed"

const show = (outcome: Outcome | null) => {
  for (const message of document.querySelectorAll<HTMLElement>("[data-outcome]")) message.hidden = message.dataset["outcome"] !== outcome
}

/** The outcome of a refused request; null if another page has to be shown first. */
const refused = async (response: Response, stepUp: string): Promise<Outcome | null> => {
  const { error } = await response.json().catch(() => ({ error: {} }))
  if (error.code === "email_not_verified") return "unverified"
  if (error.code === "session_not_fresh") location.assign(stepUp)
  else if (error.code === "unauthorized") location.reload()
  else return "failed"
  return null
}

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return "exists"
  const { name = "" } = error instanceof Error ? error : {}
  return name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "failed"
}

const register = async (root: HTMLElement, form: HTMLFormElement, button: HTMLElement | null) => {
  const valueOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  show(null)
  const body = new URLSearchParams({ form_token: valueOf("form_token").value })
  const response = await fetch(root.dataset["passkeyRegister"] ?? "", { method: "POST", body })
  if (!response.ok) return show(await refused(response, root.dataset["stepUp"] ?? ""))
  const optionsJSON = await response.json()
  const created = await startRegistration({ optionsJSON })
  valueOf("response").value = JSON.stringify(created)
  valueOf("rp").value = optionsJSON.rp.id
  form.requestSubmit(button)
}

const begin = (root: HTMLElement) => {
  const form = root.querySelector("form")
  if (form === null) return
  if (!browserSupportsWebAuthn()) {
    root.remove()
    return show("unsupported")
  }
  root.hidden = false
  // Browsers restore what a script has entered.
  ;(form.elements.namedItem("response") as HTMLInputElement).value = ""
  let pending = false
  form.addEventListener("submit", (event) => {
    if ((form.elements.namedItem("response") as HTMLInputElement).value !== "") return
    event.preventDefault()
    if (pending) return
    pending = true
    register(root, form, event.submitter)
      .catch((error) => show(outcomeOf(error)))
      .finally(() => {
        pending = false
      })
  })

  const { refusedId: credentialId, refusedRp: rpId } = root.dataset
  const signals = globalThis.PublicKeyCredential as unknown as Signals
  if (credentialId !== undefined) signals.signalUnknownCredential?.({ rpId, credentialId }).catch(() => {})
}

const root = document.querySelector<HTMLElement>("[data-passkey-register]")
if (root !== null) begin(root)
