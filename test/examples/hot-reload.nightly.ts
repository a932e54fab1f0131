import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Client } from "pg"
import { beforeAll, describe, expect, it } from "vitest"
import { atEnd } from "../e2e/endings.ts"
import { pause, until } from "../e2e/waiting.ts"
import { pack } from "../package/tarball.ts"
import { startPostgres } from "../postgres-server.ts"
import { copyExamples, freeOrigin, installExample, serve } from "./example.ts"

/** Servers of development, whose modules are evaluated again after an edit. */
const frameworks = [
  {
    name: "next-mounted",
    auth: "lib/auth.ts",
    up: "../",
    command: (port: string) => ["next", "dev", "--port", port],
  },
  { name: "mounted/sveltekit", auth: "src/lib/server/auth.ts", up: "./", command: (port: string) => ["vite", "dev", "--port", port] },
] as const

/** The connections of one pool. */
const connections = 3

let tarball: string
beforeAll(() => {
  tarball = pack()
}, 600_000)

const connected = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  return async () => {
    const { rows } = await client.query("SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'")
    return rows[0].count - 1
  }
}

const stores = {
  embedded: async () => ({ store: {}, count: async () => 0 }),
  postgres: async () => {
    const { url, stop } = await startPostgres()
    atEnd(stop)
    return { store: { store: { kind: "postgres", url, max_connections: connections } }, count: await connected(url) }
  },
}

describe.each(frameworks)("$name", ({ name, auth, up, command }) => {
  it.each(["embedded", "postgres"] as const)(
    "edits of the configuration take effect without lost requests and further connections: %s",
    async (kind) => {
      // A copy for each store: Next.js refuses a second server in a folder.
      const folder = join(copyExamples(), name)
      installExample(folder, tarball)
      const { store, count } = await stores[kind]()
      const { port, url } = await freeOrigin()
      const edit = ([inConfiguration, inAuth]: readonly [number, number]) => {
        const config = {
          ...store,
          email_password: { enabled: true },
          rate_limit: { enabled: false },
          cookie: { name: `c${inConfiguration}` },
        }
        const imports = `import { sallyport } from "sallyport"\nimport config from "${up}sallyport.config"\n\n`
        const files = [
          [join(dirname(auth), up, "sallyport.config.ts"), `export default ${JSON.stringify(config)}\n`],
          [auth, `${imports}export const auth = sallyport({ ...config, cookie: { name: \`\${config.cookie.name}a${inAuth}\` } })\n`],
        ] as const
        for (const [file, text] of files) {
          mkdirSync(dirname(join(folder, file)), { recursive: true })
          writeFileSync(join(folder, file), text)
        }
        return `-c${inConfiguration}a${inAuth}"`
      }
      const first = edit([0, 0])
      const [commandName, ...args] = command(port)
      const variables = {
        SALLYPORT_SECRET: "a secret for these tests only, 32+ bytes",
        SALLYPORT_PUBLIC_URL: url,
        NODE_ENV: "development",
        NEXT_TELEMETRY_DISABLED: "1",
      }
      const at = `${url}/api/auth`
      await serve(folder, [commandName ?? "", ...args], `${at}/get-session`, variables)
      const sees = (cookie: string) =>
        until(
          `the cookie ${cookie}`,
          async () => {
            const answer = await fetch(`${at}/openapi.json`)
            return (await answer.text()).includes(cookie) || undefined
          },
          120,
        )
      await sees(first)

      const lost: Array<string> = []
      let isDone = false
      const asking = (async () => {
        while (!isDone) {
          const answer = await fetch(`${at}/get-session`).catch(String)
          if (typeof answer === "string") lost.push(answer)
          else if (answer.status !== 200) lost.push(`${answer.status} ${await answer.text()}`)
          await pause(50)
        }
      })()
      const counts: Array<number> = []
      for (let number = 1; number <= 40; number++) {
        await sees(edit(number <= 20 ? [0, number] : [number, 20]))
        counts.push(await count())
      }
      isDone = true
      await asking
      expect(lost).toEqual([])
      const most = Math.max(...counts)
      expect(most).toBeLessThanOrEqual(connections)
      if (kind === "postgres") expect(most).toBeGreaterThan(0)
    },
    1_200_000,
  )
})
