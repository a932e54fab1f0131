// Keyboard shortcuts, by the text of the key. None of them changes data: they move the focus, follow links and tick boxes.

/** Milliseconds that the second key of a sequence has. */
const patience = 1500

/** Whether a key is text there. Boxes are no fields. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))

const element = (selector: string, within: ParentNode = document) => within.querySelector<HTMLElement>(selector)
const rows = () => [...document.querySelectorAll<HTMLElement>("main tbody tr")]
const currentRow = () => document.activeElement?.closest<HTMLElement>("main tbody tr") ?? null
const linkOf = (row: HTMLElement) => element("th a", row)

/** Moves the focus to the link of another row, or to the row where it has none. */
const move = (step: number) => {
  const all = rows()
  const row = currentRow()
  const next = row === null ? all.at(step > 0 ? 0 : -1) : all[all.indexOf(row) + step]
  if (next === undefined) return
  next.tabIndex = -1
  const target = linkOf(next) ?? next
  target.focus()
}

const edit = () => {
  const row = currentRow()
  const found = (row === null ? null : element("[data-edit]", row)) ?? element("main [data-edit]:not(tbody *)")
  if (found?.tagName !== "SUMMARY") return found?.click()
  const details = found.closest("details")
  if (details === null) return
  details.open = true
  element("input:not([type=hidden])", details)?.focus()
}

const keys: Readonly<Record<string, () => void>> = {
  "/": () => (element("main input[type=search]") ?? element(".search input"))?.focus(),
  "?": () => element("[data-shortcuts]")?.click(),
  j: () => move(1),
  k: () => move(-1),
  x: () => element("input[type=checkbox]", currentRow() ?? document.createElement("tr"))?.click(),
  e: edit,
}

/** When the first key of a sequence was pressed, on the clock of events. */
let begun = Number.NEGATIVE_INFINITY

const press = (event: KeyboardEvent): (() => void) | undefined => {
  const { key, timeStamp } = event
  const isSecond = timeStamp - begun < patience
  begun = key === "g" && !isSecond ? timeStamp : Number.NEGATIVE_INFINITY
  if (isSecond) return /^[a-z]$/.test(key) ? () => element(`[data-go="${key}"]`)?.click() : undefined
  // Links open by themselves.
  const row = currentRow()
  if (key === "Enter")
    return row !== null && !(event.target as Element).closest("a, button, summary") ? () => linkOf(row)?.click() : undefined
  return Object.hasOwn(keys, key) ? keys[key] : undefined
}

/** Listens to the keys, unless the visitor has switched them off. */
export const enableShortcuts = () => {
  if (element("[data-keys]") === null) return
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    const run = press(event)
    if (run === undefined) return
    event.preventDefault()
    run()
  })
}
