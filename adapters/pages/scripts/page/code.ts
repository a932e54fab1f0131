/** Sends the form of a code of six digits by its first button as soon as they are entered, with spaces or without. */
export const sendWholeCode = () => {
  for (const field of document.querySelectorAll<HTMLInputElement>("[data-six-digits]"))
    field.addEventListener("input", () => {
      const button = field.form?.querySelector<HTMLButtonElement>("button:not([type=button])")
      if (/^(\s*\d){6}\s*$/.test(field.value)) button?.click()
    })
}
