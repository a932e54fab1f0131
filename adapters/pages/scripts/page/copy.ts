/** Buttons that copy the text of an element, and say so in the element after the button. Browsers copy on secure pages only. */
export const enableCopy = () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const { copy = "", copied = "" } = button.dataset
    button.hidden = !("clipboard" in navigator)
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(copy)?.innerText ?? "")
      button.nextElementSibling?.replaceChildren(copied)
    })
  }
}
