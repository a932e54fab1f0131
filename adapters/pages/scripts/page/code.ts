/** Sends the form of a code by its first button as soon as all digits are entered, with spaces or without. */
export const sendWholeCode = () => {
  for (const field of document.querySelectorAll<HTMLInputElement>("[data-digits]"))
    field.addEventListener("input", () => {
      const button = field.form?.querySelector<HTMLButtonElement>("button:not([type=button])")
      const digits = field.value.replaceAll(/\s/g, "")
      if (/^\d+$/.test(digits) && digits.length === Number(field.dataset["digits"])) button?.click()
    })
}
