import type { Failure } from "../http.ts"
import { el } from "./dom.ts"
import { errorText } from "./errors.ts"
import { field, formOf, submit } from "./forms.ts"
import type { Texts } from "./texts.ts"

type Create = (input: { readonly name: string; readonly slug: string }) => Promise<Failure<string> | null>

/** Opens a dialog for the name of a new organization; it closes when the organization exists. */
export const openDialog = (parent: HTMLElement, t: Texts, create: Create): void => {
  const title = t("organizations.create")
  const name = field(t("organization.name"), { name: "name", autocomplete: "off", maxLength: 200 })
  const slug = field(
    t("organization.slug"),
    { name: "slug", autocomplete: "off", autocapitalize: "none", spellcheck: false, maxLength: 64, dir: "ltr" },
    t("organization.slug.hint"),
  )
  const work = async (pressed: string) => {
    const input = { name: name.input.value.trim(), slug: slug.input.value.trim() }
    const error = pressed ? await create(input) : null
    if (error) return errorText(t, error)
    dialog.close()
    return undefined
  }
  const form = formOf(
    "",
    work,
    ...name.nodes,
    ...slug.nodes,
    submit(t("organizations.create.submit"), "create"),
    submit(t("account.cancel"), "", "second", true),
  )
  const dialog = el("dialog", { ariaLabel: title, onclose: () => dialog.remove() }, el("h2", {}, title), form)
  parent.append(dialog)
  dialog.showModal()
}
