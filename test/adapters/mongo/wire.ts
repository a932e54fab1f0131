import type { Socket } from "node:net"
import { createServer, connect as dial } from "node:net"
import { Effect } from "effect"

/** A TCP proxy in front of a server. A test can cut its connections, make it refuse connections, or make it stop forwarding. */
export interface Wire {
  readonly port: number
  readonly cut: () => void
  silent: boolean
  refusing: boolean
}

export const wire = (to: number) =>
  Effect.acquireRelease(
    Effect.callback<Wire & { readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const state = { silent: false, refusing: false }
      const server = createServer((near) => {
        if (state.refusing) return void near.destroy()
        const far = dial(to, "127.0.0.1")
        for (const [from, onward] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(from)
          from.on("data", (bytes) => {
            if (!state.silent) onward.write(bytes)
          })
          from.on("error", () => onward.destroy())
          from.on("close", () => {
            sockets.delete(from)
            onward.destroy()
          })
        }
      })
      const cut = () => {
        for (const socket of sockets) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { readonly port: number }
        const close = () => {
          cut()
          server.close()
        }
        resume(Effect.succeed(Object.assign(state, { port, cut, close })))
      })
    }),
    ({ close }) => Effect.sync(close),
  )
