// Adds to the pages of the console, all of which work without it: filters that apply at once, new records of the audit log, and shortcuts of
// the keyboard.

import { enableShortcuts } from "./console/shortcuts.ts"
import { showLocalTimes } from "./page/times.ts"

enableShortcuts()

/** The only place where a text of the server becomes HTML; it is a page of this service. */
const policy = (window as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("sallyport", { createHTML: (page) => page })
const parsed = (page: string) => new DOMParser().parseFromString(policy?.createHTML(page) ?? page, "text/html")

/** Browsers without it accept texts. */
interface TrustedTypes {
  readonly createPolicy: (name: string, rules: { readonly createHTML: (page: string) => string }) => typeof rules
}

/** Milliseconds after the last key. */
const pause = 400
/** Milliseconds until the results are marked as loading. */
const patience = 300

for (const form of document.querySelectorAll<HTMLFormElement>("[data-filters]")) {
  let timer = 0
  let latest = 0
  const apply = async () => {
    const asked = ++latest
    const old = document.querySelector("#results")
    const waiting = setTimeout(() => old?.setAttribute("aria-busy", "true"), patience)
    const sent = [...new FormData(form)].flatMap(([name, value]) => (value === "" ? [] : [[name, String(value)]]))
    const url = `${form.action}?${new URLSearchParams(sent)}`
    const answer = await fetch(url, { redirect: "manual" }).catch(() => null)
    const page = answer?.ok === true ? parsed(await answer.text()) : null
    const results = page?.querySelector("#results") ?? null
    clearTimeout(waiting)
    if (asked !== latest) return
    if (page === null || results === null) return location.assign(url)
    showLocalTimes(page)
    for (const fresh of page.querySelectorAll<HTMLElement>("[data-follows]"))
      document.querySelector(`[data-follows=${fresh.dataset["follows"]}]`)?.replaceWith(fresh)
    old?.replaceWith(results)
    history.replaceState(null, "", url)
    document.dispatchEvent(new Event("filtered"))
  }
  const soon = () => {
    clearTimeout(timer)
    timer = window.setTimeout(apply, pause)
  }
  form.addEventListener("input", soon)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    clearTimeout(timer)
    void apply()
  })
}

/** The maximum number of rows that are kept. */
const most = 200

/** Adds the first row of a table to that of the page, unless it is there already. */
const addRow = (html: string) => {
  const results = document.querySelector("#results")
  const table = parsed(html).querySelector("table")
  const row = table?.tBodies[0]?.rows[0]
  if (results === null || table === null || row === undefined) return
  if (results.querySelector(`[data-key="${CSS.escape(row.dataset["key"] ?? "")}"]`) !== null) return
  showLocalTimes(row)
  const body = results.querySelector("tbody")
  if (body === null) return results.querySelector("[data-empty]")?.replaceWith(table)
  body.prepend(row)
  for (const old of [...body.rows].slice(most)) if (!old.contains(document.activeElement)) old.remove()
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-live]")) {
  const { live = "", after = "", pause: pauseLabel = "", ended = "" } = button.dataset
  const startLabel = button.textContent
  const news = document.querySelector("#news")
  let source: EventSource | null = null
  let isOn = false
  let place = after

  const close = () => {
    source?.close()
    source = null
  }
  const say = (text: string) => {
    if (news !== null) news.textContent = text
  }
  const show = (on: boolean) => {
    isOn = on
    button.textContent = on ? pauseLabel : startLabel
    close()
    if (on && !document.hidden) open()
  }
  const end = () => {
    show(false)
    say(ended)
  }
  const open = () => {
    const query = new URLSearchParams(location.search)
    query.set("after", place)
    const opened = new EventSource(`${live}?${query}`)
    const on = (name: string, act: (data: string) => void) =>
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        place = lastEventId
        act(JSON.parse(data))
      })
    on("row", addRow)
    on("news", (text) => text !== "" && say(text))
    opened.addEventListener("complete", end)
    // Browsers connect again by themselves, unless they are refused.
    opened.addEventListener("error", () => opened.readyState === EventSource.CLOSED && end())
    source = opened
  }
  button.hidden = false
  button.addEventListener("click", () => {
    say("")
    show(!isOn)
  })
  document.addEventListener("visibilitychange", () => show(isOn))
  document.addEventListener("filtered", () => show(isOn))
}
