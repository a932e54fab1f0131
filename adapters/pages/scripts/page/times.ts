const dates = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })

/** Shows times in the zone of the reader. The pointer shows them in UTC. */
export const showLocalTimes = (root: ParentNode) => {
  for (const time of root.querySelectorAll("time")) {
    time.title = time.textContent
    time.textContent = dates.format(new Date(time.dateTime))
  }
}
