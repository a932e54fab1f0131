import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"

/** Counts the TCP connections to one port of this machine, over IPv4 and IPv6, and closes them. */
export const countingListener = async () => {
  const count = { connections: 0 }
  const server = createServer((socket) => {
    count.connections += 1
    socket.on("error", () => {}).destroy()
  })
  await once(server.listen({ host: "::", port: 0, ipv6Only: false }), "listening")
  return { count, port: (server.address() as AddressInfo).port, close: () => server.close() }
}
