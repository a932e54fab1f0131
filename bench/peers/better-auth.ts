// better-auth as a side: reads of a session by cookie, and sign-ins. It has a database of its own with 256 users.

import type { ChildProcess } from "node:child_process"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import type { Database } from "../databases.ts"
import { startNode, until } from "../machine.ts"
import { get, post } from "../operation.ts"
import type { Request } from "../requests.ts"
import { secret } from "../seed.ts"
import { eachOf, origin, password } from "../service.ts"
import { type Server, type Side, served } from "../sides.ts"

export const package_ = join(import.meta.dirname, "better-auth")

export const install = () => {
  if (!existsSync(join(package_, "node_modules"))) execFileSync("npm", ["ci", "--prefix", package_], { stdio: "inherit" })
}

interface Person {
  readonly email: string
  readonly cookie: string
}

/** A request as a page of the application sends it: better-auth refuses a POST without an origin. */
const fromPage = (path: string, body: object): Request => {
  const request = post(`/api/auth${path}`, body)
  return { ...request, headers: { ...request.headers, origin } }
}

const signUp = async (port: number, index: number): Promise<Person> => {
  const email = `user${index}@example.com`
  const { path, method, headers = {}, body = "" } = fromPage("/sign-up/email", { email, password, name: `Person ${email}` })
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  if (!answer.ok) throw new Error(`better-auth answers a sign-up with ${answer.status}: ${await answer.text()}`)
  return {
    email,
    cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; "),
  }
}

/** The requests that do the same as those of our operations. */
const requests: Readonly<Record<string, (people: ReadonlyArray<Person>) => ReadonlyArray<Request>>> = {
  "get-session": (people) => people.map(({ cookie }) => get("/get-session", cookie)),
  "sign-in": (people) => people.map(({ email }) => fromPage("/sign-in/email", { email, password })),
}

export const betterAuth = async (folder: string, { settings: { url = "" } }: Database, started: Array<ChildProcess>): Promise<Side> => {
  install()
  const port = await freePort()
  const env = { DATABASE_URL: url, BETTER_AUTH_SECRET: secret, BETTER_AUTH_URL: origin, PORT: String(port), NODE_ENV: "production" }
  const child = startNode([join(package_, "server.js")], env)
  started.push(child)
  await until(`http://127.0.0.1:${port}/api/auth/ok`, { child })
  const people = await eachOf(
    Array.from({ length: 256 }, (_, index) => index),
    (index) => signUp(port, index),
  )
  const server: Server = { name: "better-auth", child, port }
  return {
    contender: async (operation) => {
      const own = requests[operation.name]
      return own === undefined ? undefined : served(folder, server, { ...operation, expects: '"email":' }, own(people))
    },
  }
}
