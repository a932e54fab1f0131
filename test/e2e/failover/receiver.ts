import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { atEnd } from "../endings.ts"

/** A receiver of webhooks that verifies signatures, by whatever clock, accepts everything, and counts the deliveries of each event. */
export const startReceiver = async (secret: string) => {
  const webhook = new Webhook(secret)
  const deliveries = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    const id = String(request.headers["webhook-id"])
    const signature = webhook.sign(id, new Date(Number(request.headers["webhook-timestamp"]) * 1000), text)
    if (!String(request.headers["webhook-signature"]).split(" ").includes(signature)) return void response.writeHead(400).end()
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { deliveries, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
