/** Buttons that show what is entered in a password field, until the form is sent. */
export const enableReveal = () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-reveal]")) {
    const field = document.getElementById(button.dataset["reveal"] ?? "") as HTMLInputElement | null
    if (field === null) continue
    const label = button.firstChild
    const show = label?.textContent ?? ""
    const reveal = (shown: boolean) => {
      field.type = shown ? "text" : "password"
      if (label !== null) label.textContent = shown ? (button.dataset["hide"] ?? show) : show
    }
    button.hidden = false
    button.addEventListener("click", () => reveal(field.type === "password"))
    field.form?.addEventListener("submit", () => reveal(false))
  }
}
