// Adds to all pages, which work without it.

import { sendWholeCode } from "./page/code.ts"
import { enableCopy } from "./page/copy.ts"
import { sayLongEnough } from "./page/long-enough.ts"
import { enableReveal } from "./page/reveal.ts"
import { sendOnce } from "./page/sending.ts"
import { showLocalTimes } from "./page/times.ts"

enableReveal()
enableCopy()
sendOnce()
sendWholeCode()
sayLongEnough()
showLocalTimes(document)

// On phones the row of sections is wider than the page.
document.querySelector(".sections [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })

// A page that the browser kept is read again: after signing out it must show nothing.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
