// Adds to the pages of the console, all of which work without it: times in the zone of the reader, filters that apply at once, and shortcuts of
// the keyboard.

import { enableShortcuts } from "./console/shortcuts.ts"

enableShortcuts()

const dates = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })

const showLocalTimes = (root: ParentNode) => {
  for (const time of root.querySelectorAll("time")) {
    time.title = time.textContent
    time.textContent = dates.format(new Date(time.dateTime))
  }
}
showLocalTimes(document)

/** The only place where a text of the server becomes HTML; it is a page of this service. */
const policy = (window as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("sallyport", { createHTML: (page) => page })
const parsed = (page: string) => new DOMParser().parseFromString(policy?.createHTML(page) ?? page, "text/html").querySelector("#results")

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
    const results = answer?.ok === true ? parsed(await answer.text()) : null
    clearTimeout(waiting)
    if (asked !== latest) return
    if (results === null) return location.assign(url)
    showLocalTimes(results)
    old?.replaceWith(results)
    history.replaceState(null, "", url)
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
