// A service with the console and many users, and its pages.

import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../test/free-port.ts"
import type { startDatabases } from "./databases.ts"
import type { Directory } from "./peers/keycloak-users.ts"
import { migrate, start } from "./sallyport.ts"
import { idOf, secret } from "./seed.ts"

const root = { email: "root@example.com", password: "a password of the benchmark" }

export const openSallyport = async (
  folder: string,
  databases: Awaited<ReturnType<typeof startDatabases>>,
  started: Array<ChildProcess>,
  count: number,
  limit: number,
  isOnAll = false,
): Promise<Directory> => {
  const database = await databases.create("console")
  const port = await freePort()
  const base = `http://localhost:${port}`
  const file = join(folder, "console.json")
  const settings = {
    secret,
    public_url: base,
    listen: { port },
    store: database.settings,
    mail: { kind: "none" },
    email_password: { enabled: true },
    rate_limit: { enabled: false },
    log: { level: "error" },
    pages: { admin: {} },
    modules: { admin: { admin_emails: [root.email], require_verified_email: false }, audit: {}, figures: {} },
  }
  writeFileSync(file, JSON.stringify(settings))
  const configured = { port, file, isOnAll }
  await migrate(configured)
  await database.seed(0, count)
  await start(configured, started)
  const headers = { "content-type": "application/json", origin: base }
  const signedUp = await fetch(`${base}/api/auth/sign-up/email`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...root, name: "Root" }),
  })
  const cookie = signedUp.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const users = `/admin/users?limit=${limit}`
  const pageAfter = async (path: string) => (await fetch(base + path, { headers: { cookie } })).text()
  const nextOf = async (path: string) => /href="([^"]*cursor=[^"]*)"/.exec(await pageAfter(path))?.[1]?.replaceAll("&amp;", "&") ?? path
  const next = await nextOf(users)
  let late = next
  for (let page = 3; page <= Math.min(1000, count / limit); page++) late = await nextOf(late)
  return {
    name: "sallyport",
    base,
    headers: async () => ({ cookie }),
    paths: {
      overview: () => "/admin",
      "users, first page": () => users,
      "users, next page": () => next,
      "users, page 1,000 or the last one": () => late,
      "search, found": (index) => `/admin/users?q=person${index}@`,
      "search, not found": (index) => `/admin/users?q=unknown${index}@`,
      "a filter that matches no user": () => "/admin/users?state=suspended",
      "one user": (index) => `/admin/user?id=${idOf("user", index)}`,
      "audit log": () => "/admin/audit",
      "audit log of one user": (index) => `/admin/audit?subject_id=${idOf("user", index)}`,
    },
  }
}

export const quantile = (values: ReadonlyArray<number>, part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN
