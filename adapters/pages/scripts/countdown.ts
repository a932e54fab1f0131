// Counts the seconds until a message can be sent again. It is not announced: the button says the same when it is pressed too early.
for (const line of document.querySelectorAll<HTMLElement>("[data-countdown]")) {
  const end = Date.now() + Number(line.dataset["countdown"]) * 1000
  const time = line.querySelector("bdi")
  const timer = setInterval(() => {
    const seconds = Math.ceil((end - Date.now()) / 1000)
    if (time !== null) time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
    if (seconds > 0) return
    clearInterval(timer)
    line.hidden = true
  }, 1000)
}
