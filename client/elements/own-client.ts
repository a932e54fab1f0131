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
 * it has hydrated, those in `Suspense` after the page has loaded; any other page counts as hydrated when it has loaded and the browser is
 * idle. An element that React does not know, such as one in `dangerouslySetInnerHTML`, waits for five seconds.
 */
const hydrated = async (element: Element) => {
  for (let tries = 0; !isMarked(element) && (document.readyState !== "complete" || (isInReact(element) && tries < 100)); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve))
}

const isMarked = (node: Node, mark = "__react") => Object.keys(node).some((key) => key.startsWith(mark))

/** Whether React renders into an element around this one, or into the document. */
const isInReact = (element: Element) => {
  for (let node: Node | null = element; node !== null; node = node.parentNode) if (isMarked(node, "__reactContainer")) return true
  return false
}
