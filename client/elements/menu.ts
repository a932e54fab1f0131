import { el } from "./dom.ts"

/** An item of a menu: a link, or a button with what it does. */
export const item = (content: string | Node, action: string | (() => unknown), properties: Partial<HTMLElement> = {}): HTMLElement => {
  const shared = { role: "menuitem", tabIndex: -1, ...properties } as Partial<HTMLButtonElement & HTMLAnchorElement>
  return typeof action === "string"
    ? el("a", { ...shared, href: action }, content)
    : el("button", { ...shared, type: "button", onclick: action }, content)
}

/** A button that opens a menu, by mouse and keyboard as in the menu button pattern of the APG. The items are made when it opens. */
export const menuButton = (
  name: string,
  face: ReadonlyArray<Node>,
  itemsOf: () => ReadonlyArray<HTMLElement> | Promise<ReadonlyArray<HTMLElement>>,
): ReadonlyArray<HTMLElement> => {
  const menu = el("menu", { role: "menu", popover: "auto", ariaLabel: name })
  const button = el("button", { type: "button", className: "face", ariaHasPopup: "menu" }, ...face)
  button.popoverTargetElement = menu
  const all = () => [...menu.querySelectorAll<HTMLElement>("a,button")]

  const open = async (first: number) => {
    button.focus()
    menu.replaceChildren(...(await itemsOf()).map((each) => el("li", { role: "none" }, each)))
    if (!menu.isConnected || menu.matches(":popover-open")) return
    menu.showPopover({ source: button })
    all().at(first)?.focus()
  }
  button.onclick = (event) => {
    if (menu.matches(":popover-open")) return
    event.preventDefault()
    void open(0)
  }
  button.onkeydown = (event) => {
    const first = { ArrowDown: 0, ArrowUp: -1 }[event.key]
    if (first === undefined) return
    event.preventDefault()
    void open(first)
  }
  // Before the item acts: a dialog that it opens returns the focus to the button, not to the hidden item.
  menu.addEventListener("click", () => menu.hidePopover(), true)
  menu.onkeydown = (event) => {
    const items = all()
    const at = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Tab") menu.hidePopover()
    if (next === undefined) return
    event.preventDefault()
    items.at(next % items.length)?.focus()
  }
  return [button, menu]
}
