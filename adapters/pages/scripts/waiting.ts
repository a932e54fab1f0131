// Asks for the page again while it is visible, until the answer is a redirect, and then follows it. Without scripts the visitor reloads it.
const here = location.pathname + location.search

const timer = setInterval(async () => {
  if (document.hidden) return
  const response = await fetch(here, { redirect: "manual" }).catch(() => undefined)
  if (response?.type !== "opaqueredirect") return
  clearInterval(timer)
  location.replace(here)
}, 3000)
