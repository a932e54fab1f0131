import type { Operations } from "../operations.ts"
import type { SessionOf, WithSession } from "../session.ts"
import type { SessionState } from "../session-store.ts"
import { Component, define } from "./component.ts"
import { el } from "./dom.ts"
import { item, menuButton } from "./menu.ts"
import type { Texts } from "./texts.ts"

type Client = WithSession & { readonly organization: Pick<Operations["organization"], "list" | "getActive" | "setActive" | "create"> }
type Named = { readonly id: string; readonly name: string }

/** The active organization of the session, with a menu of all organizations of the user, and a dialog that creates one. Event `change`. */
export class OrganizationSwitcher extends Component<Client> {
  protected draw({ organization }: Client, t: Texts, session: SessionState<SessionOf>): unknown {
    if (session.status !== "authenticated") return this.show()
    const title = t("account.organizations")
    const label = el("bdi", { className: "name" }, title)
    let active: string | undefined
    const mark = ({ id, name }: Named) => {
      active = id
      label.textContent = name
    }
    const activate = async (chosen: Named) => {
      const { error } = await organization.setActive({ organization_id: chosen.id })
      if (error) return error
      mark(chosen)
      this.finish("change", chosen)
      return null
    }
    const create = async () => {
      const { openDialog } = await import("./create-organization.ts")
      openDialog(root, t, async (input) => {
        const { data, error } = await organization.create(input)
        return data ? activate(data.organization) : error
      })
    }
    const items = async () => {
      const { data } = await organization.list()
      const choices = (data?.organizations ?? []).map((each) =>
        item(el("bdi", {}, each.name), () => activate(each), { role: "menuitemradio", ariaChecked: String(each.id === active) }),
      )
      const page = this.page("organizations")
      return [...choices, item(t("organizations.create"), create), ...(page ? [item(title, page)] : [])]
    }
    const root = el("div", {}, ...menuButton(title, [label], items))
    this.show(root)
    return organization.getActive().then(({ data }) => data?.organization && mark(data.organization))
  }
}

define("sallyport-organization-switcher", OrganizationSwitcher)
