/** Says below a new password, while it is typed, when it has as many characters as the service demands. */
export const sayLongEnough = () => {
  for (const said of document.querySelectorAll<HTMLElement>("[data-long-enough]")) {
    const field = document.getElementById(said.dataset["of"] ?? "")
    if (!(field instanceof HTMLInputElement)) continue
    field.addEventListener("input", () => {
      // The service counts code points of the composed form, as here.
      const length = Array.from(field.value.normalize()).length
      said.textContent = length >= field.minLength ? (said.dataset["longEnough"] ?? "") : ""
    })
  }
}
