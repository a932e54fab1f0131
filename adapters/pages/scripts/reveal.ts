// Shows what is entered in a password field, until the form is sent.
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-reveal]")) {
  const field = document.getElementById(button.dataset["reveal"] ?? "") as HTMLInputElement | null
  if (field === null) continue
  const reveal = (shown: boolean) => {
    field.type = shown ? "text" : "password"
    button.setAttribute("aria-pressed", String(shown))
  }
  button.hidden = false
  button.addEventListener("click", () => reveal(field.type === "password"))
  field.form?.addEventListener("submit", () => reveal(false))
}

// A page that the browser kept is read again: after signing out it must show nothing.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
