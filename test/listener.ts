import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** Whether these bytes begin a request of HTTP, or a handshake of TLS. */
const isRequest = (data: Buffer) => data[0] === 0x16 || /^[A-Z]+ /.test(data.toString("latin1", 0, 16))

/**
 * Counts the requests to one port of this machine, over IPv4 and IPv6, and closes their connections. Clients of other tests that connect to
 * the port again, because it belonged to their server before, do not count.
 */
export const countingListener = async () => {
  const count = { connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => {})
    socket.once("data", (data) => {
      if (isRequest(data)) count.connections += 1
      socket.destroy()
    })
  })
  await once(server.listen({ host: "::", port: 0, ipv6Only: false }), "listening")
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { count, port: (server.address() as AddressInfo).port, close }
}
