import { randomUUID } from "node:crypto"
import { constants, readdirSync, rmSync } from "node:fs"
import { cp, mkdir, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { basename, join } from "node:path"
import { Effect } from "effect"

const socketPath = (directory: string) => join(directory, "copies.sock")
const isCopy = (name: string) => name.startsWith("copy.")

/**
 * Makes copies of the database for other processes of the same user, which connect to a socket in the directory. `paused` runs the copying
 * while no statement is executed. The reply is the folder of the copy, which is removed when the connection ends.
 */
export const serveCopies = (directory: string, database: string, paused: (copy: () => Promise<void>) => Promise<void>) =>
  Effect.acquireRelease(
    Effect.callback<() => void>((resume) => {
      removeLeftovers(directory)
      const connections = new Set<Socket>()
      const server = createServer((connection) => {
        connections.add(connection)
        connection.once("close", () => connections.delete(connection))
        connection.on("error", () => {})
        void serve(connection, directory, database, paused)
      })
      const close = () => {
        server.close()
        for (const connection of connections) connection.destroy()
      }
      server.once("listening", () => resume(Effect.succeed(close)))
      // The path of a socket can have about 100 characters. Without the socket, `backup` needs the service to be stopped.
      server.once("error", ({ message }) =>
        resume(Effect.as(Effect.logWarning(`No backup is possible while this process runs: ${message}`), close)),
      )
      server.listen(socketPath(directory))
    }),
    (close) => Effect.sync(close),
  )

const removeLeftovers = (directory: string) => {
  rmSync(socketPath(directory), { force: true })
  for (const name of readdirSync(directory).filter(isCopy)) rmSync(join(directory, name), { recursive: true })
}

const serve = async (connection: Socket, directory: string, database: string, paused: (copy: () => Promise<void>) => Promise<void>) => {
  const copy = join(directory, `copy.${randomUUID()}`)
  const remove = () => rm(copy, { recursive: true, force: true })
  try {
    await mkdir(copy, { mode: 0o700 })
    await paused(() => cp(database, join(copy, basename(database)), { recursive: true, mode: constants.COPYFILE_FICLONE }))
    if (connection.destroyed) return await remove()
    connection.once("close", () => void remove())
    connection.write(`${copy}\n`)
  } catch {
    connection.destroy()
    await remove()
  }
}

/** A copy of the database that another process has open, until the scope ends. Fails if that process makes none. */
export const requestCopy = (directory: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly connection: Socket; readonly folder: string }, Error>((resume) => {
        const connection = connect(socketPath(directory))
        let reply = ""
        connection.setEncoding("utf8").on("data", (text) => {
          reply += text
          if (reply.endsWith("\n")) resume(Effect.succeed({ connection, folder: reply.trim() }))
        })
        connection.once("error", (error) => resume(Effect.fail(error)))
        connection.once("close", () => resume(Effect.fail(new Error("no copy was made"))))
      }),
      ({ connection }) => Effect.sync(() => connection.destroy()),
    ),
    ({ folder }) => folder,
  )
