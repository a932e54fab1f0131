import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import { atEnd } from "./endings.ts"
import { start, temporaryFolder } from "./program.ts"
import { pause, until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }

/** Signing in takes long enough to be overtaken by a signal. */
const slowHash = { memory_kib: 262_144, passes: 4, lanes: 1 }

it("SIGTERM lets a sign-in finish, refuses new connections and ends with 0; the data are there at the next start", async () => {
  const store = { kind: "embedded", directory: join(temporaryFolder(), "data") }
  const program = await start({ store, email_password: { enabled: true, hash: slowHash } })
  await program.call("/sign-up/email", credentials)

  let answered = false
  const signIn = program.call("/sign-in/email", credentials).finally(() => (answered = true))
  await pause(100)
  const ended = program.stop()
  await until("new connections to be refused", () => refuses(program.port))
  expect(answered).toBe(false)
  expect((await signIn).status).toBe(200)
  expect(await ended).toBe(0)

  program.begin()
  await program.ready()
  const { cookie } = await program.call("/sign-in/email", credentials)
  expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
})

it("SIGTERM does not wait for a client that never finishes its request", async () => {
  const program = await start({ store: { kind: "memory" } })
  const socket = connect(program.port, "127.0.0.1").on("error", () => {})
  atEnd(() => socket.destroy())
  await once(socket, "connect")
  socket.write("POST /api/auth/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{")
  await pause(100)
  const ended = await Promise.race([program.stop(), pause(20_000).then(() => "still running")])
  expect(ended).toBe(0)
})

const refuses = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", () => resolve(true))
    socket.once("connect", () => {
      socket.destroy()
      resolve(undefined)
    })
  })
