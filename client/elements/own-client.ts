import { createClient } from "../client.ts"
import type { WithSession } from "../session.ts"

const clients = new Map<string, WithSession>()

/** The client of all elements with these attributes, once the page is hydrated. */
export default async <Client extends WithSession>(element: Element): Promise<Client> => {
  await hydrated(element)
  const baseUrl = element.getAttribute("base-url") ?? ""
  const basePath = element.getAttribute("base-path") ?? "/api/auth"
  const url = baseUrl + basePath
  const client = clients.get(url) ?? createClient({ baseUrl, basePath })
  clients.set(url, client)
  return client as Client
}

/**
 * Before the framework has hydrated the page, what an element adds would not match the markup of the server. React marks the elements that
 * it has hydrated; any other page counts as hydrated when it has loaded and the browser is idle.
 */
const hydrated = async (element: Element) => {
  const isMarked = () => Object.keys(element).some((key) => key.startsWith("__react"))
  while (document.readyState !== "complete" && !isMarked()) await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve))
}
