import { answering } from "../../../public-fetch.ts"

/** The server of a client's `jwks_uri`: its answer can be replaced, and it counts the requests. */
export const keyServer = () => {
  const server = { count: 0, answer: (): Response => new Response("", { status: 404 }) }
  const fetch = answering(() => {
    server.count += 1
    return server.answer()
  })
  return { server, fetch }
}
