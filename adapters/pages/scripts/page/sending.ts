/** Milliseconds until a form can be sent again: the visitor may have stopped the browser, or the response is a file. */
const patience = 5000

const sent = new WeakSet<HTMLFormElement>()

/**
 * Lets the button of a form wait for the response, so that a second click does not send the form again. A repetition would get the same
 * response, but browsers end the first request for it.
 */
export const sendOnce = () => {
  addEventListener("submit", (event) => {
    const { target: form, submitter, defaultPrevented } = event
    // Forms of passkeys and wallets are sent when their script has the answer.
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (sent.has(form)) return event.preventDefault()
    sent.add(form)
    submitter?.setAttribute("aria-busy", "true")
    setTimeout(() => {
      sent.delete(form)
      submitter?.removeAttribute("aria-busy")
    }, patience)
  })
}
