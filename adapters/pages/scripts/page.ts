// Adds to all pages, which work without it.

import { enableReveal } from "./page/reveal.ts"
import { sendOnce } from "./page/sending.ts"
import { showLocalTimes } from "./page/times.ts"

enableReveal()
sendOnce()
showLocalTimes(document)

// A page that the browser kept is read again: after signing out it must show nothing.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
