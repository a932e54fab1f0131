import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { atEnd } from "../e2e/endings.ts"

/** A receiver of webhooks that accepts everything, or never answers. */
export const startHangable = async () => {
  const waiting = new Set<ServerResponse>()
  let isHanging = false
  const server = createServer((request, response) => {
    request.resume()
    if (isHanging) waiting.add(response)
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    held: () => waiting.size,
    hang: () => {
      isHanging = true
    },
    answer: () => {
      isHanging = false
      for (const response of waiting) response.end()
      waiting.clear()
    },
  }
}
