import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from "@simplewebauthn/browser"

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"]

const box = document.querySelector<HTMLElement>("[data-passkey]")
const form = box?.querySelector("form")
const button = form?.querySelector<HTMLButtonElement>("button")
const answer = form?.querySelector<HTMLInputElement>("[name=response]")
const failed = box?.querySelector<HTMLElement>("[data-failed]")
const token = form?.querySelector<HTMLInputElement>("[name=form_token]")

if (box && form && button && answer && token && browserSupportsWebAuthn()) {
  /** The renewal of the challenge that waits in the list of names; browsers ignore its time-out there. */
  let renewal: ReturnType<typeof setTimeout> | undefined
  let isSent = false

  const options = async (): Promise<Options> => {
    const body = new URLSearchParams({ form_token: token.value })
    const response = await fetch(box.dataset["passkey"] ?? "", { method: "POST", body })
    if (!response.ok) throw new Error(`The options were refused with ${response.status}.`)
    return response.json()
  }

  const send = async (optionsJSON: Options, useBrowserAutofill: boolean) => {
    answer.value = JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill }))
    isSent = true
    form.requestSubmit(button)
  }

  const stop = () => {
    clearTimeout(renewal)
    WebAuthnAbortService.cancelCeremony()
  }

  /** Offers passkeys in the list of names. The visitor may cancel, or choose another way: then there is nothing to say. */
  const wait = async () => {
    try {
      const optionsJSON = await options()
      renewal = setTimeout(wait, (optionsJSON.timeout ?? 60_000) * 0.75)
      await send(optionsJSON, true)
    } catch {}
  }

  /** Offers passkeys in a dialog of the browser. */
  const ask = async () => {
    stop()
    const optionsJSON = await options().catch(() => null)
    if (failed) failed.hidden = optionsJSON !== null
    if (optionsJSON === null) return
    try {
      await send(optionsJSON, false)
    } catch {
      await waitIfPossible()
    }
  }

  const waitIfPossible = async () => {
    const hasList = document.querySelector("input[autocomplete$=webauthn]") !== null
    if (hasList && (await browserSupportsWebAuthnAutofill())) await wait()
  }

  box.hidden = false
  form.addEventListener("submit", (event) => {
    if (isSent) return
    event.preventDefault()
    void ask()
  })
  document.addEventListener("submit", ({ target }) => {
    if (target !== form) stop()
  })
  addEventListener("pagehide", stop)
  void waitIfPossible()
} else {
  box?.remove()
}
