import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { freshDatabase, freshStore, sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { builtProgram, cheapHash, repository, temporaryFolder } from "./program.ts"
import { pause, until } from "./waiting.ts"

const secret = "a secret for these tests only, 32+ bytes"
type Config = Readonly<Record<string, unknown>>

/** Starts a command in a folder of its own and collects its output. */
const begin = (
  args: ReadonlyArray<string>,
  { config, environment = {}, folder = temporaryFolder(), input, program = builtProgram }: Options = {},
) => {
  if (config !== undefined) writeFileSync(join(folder, "sallyport.config.json"), JSON.stringify({ secret, ...config }))
  const { PATH = "", HOME = "" } = process.env
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH, HOME, ...environment },
  })
  if (input !== undefined) child.stdin?.end(input)
  const said = { out: "", error: "" }
  child.stdout?.setEncoding("utf8").on("data", (text) => (said.out += text))
  child.stderr?.setEncoding("utf8").on("data", (text) => (said.error += text))
  const over = new Promise<number | string | null>((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)))
  atEnd(async () => {
    child.kill("SIGKILL")
    await over
  })
  return { child, said, over, folder }
}
interface Options {
  readonly config?: Config
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  /** All of its standard input. */
  readonly input?: string
  /** Instead of the built one. */
  readonly program?: string
}

const run = async (args: ReadonlyArray<string>, options?: Options) => {
  const { said, over } = begin(args, options)
  return { code: await over, ...said }
}

/** A service that listens. */
const serve = async (config: Config = {}, options: Options = {}) => {
  const port = await freePort()
  const running = begin([], { ...options, config: { public_url: `http://localhost:${port}`, store: { kind: "memory" }, ...config } })
  const url = `http://127.0.0.1:${port}`
  await until(
    "the service to listen",
    async () => {
      if (running.child.exitCode !== null) throw new Error(`it stopped: ${running.said.out}${running.said.error}`)
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined
    },
    120,
  )
  return { ...running, port, url }
}

const enabled = { email_password: { enabled: true, hash: cheapHash }, mail: { kind: "none" } }
const signUp = JSON.stringify({ email: "ada@example.com", password: "correct horse battery staple" })
const post = (url: string, path: string) =>
  fetch(`${url}/api/auth${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: signUp })

/** A sign-up whose body is not yet complete. */
const halfSent = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  let answer = ""
  socket.setEncoding("utf8").on("data", (text) => (answer += text))
  socket.on("error", () => undefined)
  const closed = new Promise((resolve) => socket.once("close", resolve))
  await new Promise((resolve) => socket.once("connect", resolve))
  const head = ["POST /api/auth/sign-up/email HTTP/1.1", "host: x", "content-type: application/json", `content-length: ${signUp.length}`]
  socket.write(`${[...head, "expect: 100-continue"].join("\r\n")}\r\n\r\n`)
  await until("the service to read the body", () => answer.startsWith("HTTP/1.1 100 ") || undefined)
  socket.write(signUp.slice(0, 10))
  return { finish: () => socket.write(signUp.slice(10)), closed, answer: () => answer }
}

describe("serve", () => {
  it("starts on the embedded store, and refuses a second start on the same data with one line", async () => {
    const config = { ...enabled, store: { kind: "embedded", directory: "data" } }
    const first = await serve(config)
    const answer = await post(first.url, "/sign-up/email")
    expect([answer.status, (await answer.json()).user.email]).toEqual([200, "ada@example.com"])

    const second = await run([], { folder: first.folder, environment: { PORT: "0" } })
    expect(second.code).toBe(69)
    expect(second.error).toMatch(/^The data directory data is in use by process \d+; .*\n$/)

    first.child.kill("SIGTERM")
    expect(await first.over).toBe(0)
    const third = await serve(config, { folder: first.folder })
    expect((await post(third.url, "/sign-in/email")).status).toBe(200)
  })

  it("a data directory that cannot be used: 69 and one line, which doctor prints too", async () => {
    const config = { store: { kind: "embedded", directory: "sallyport.config.json/data" } }
    const { code, out, error } = await run([], { config })
    expect([code, out]).toEqual([69, ""])
    expect(error).toMatch(/^The data directory sallyport\.config\.json\/data cannot be used \(ENOTDIR: .*\); set store\.directory to .*\n$/)
    const examined = await run(["doctor"], { config })
    expect(examined.code).toBe(1)
    expect(examined.out).toMatch(/^error {2}store: cannot create a database in sallyport\.config\.json\/data/m)
  })

  it("logs settings for development and starts nevertheless", async () => {
    const { said } = await serve({ mail: { kind: "none" }, email_password: { enabled: true, require_email_verification: true } })
    await until("the warning", () => said.out.includes("users cannot verify an address") || undefined)
    const [, warning] = said.out.trim().split("\n")
    expect(JSON.parse(warning ?? "")).toMatchObject({ level: "WARN", message: expect.stringMatching(/^mail is not sent, so/) })
  })

  it("warns if links lead to another port than the one it listens on", async () => {
    const port = await freePort()
    const { said } = begin([], { config: { store: { kind: "memory" } }, environment: { PORT: String(port) } })
    await until("the warning", () => said.out.includes("links point to") || undefined)
    expect(said.out).toContain(`links point to http://localhost:3000, but the service listens on port ${port}: change public_url`)
  })

  it("logs once where it listens, and no secret", async () => {
    const { said, url } = await serve()
    const lines = said.out.trim().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { message: "listening", annotations: { address: url, store: "memory", mail: "console" } },
    ])
    expect(said.out + said.error).not.toContain(secret)
  })

  it("refuses a body that is larger than max_body_bytes", async () => {
    const { url } = await serve({ ...enabled, max_body_bytes: signUp.length - 1 })
    expect((await post(url, "/sign-up/email")).status).toBe(413)
  })

  it.each(["SIGTERM", "SIGINT"] as const)("%s finishes running requests, accepts no new ones, and exits with 0", async (signal) => {
    const { child, over, port, url } = await serve({ ...enabled, listen: { drain_delay: 0 } })
    const request = await halfSent(port)
    child.kill(signal)
    await until("the port to be closed", async () =>
      (await fetch(`${url}/healthz`).catch(() => undefined)) === undefined ? true : undefined,
    )
    expect(child.exitCode).toBeNull()
    request.finish()
    await request.closed
    expect(request.answer()).toMatch(/^HTTP\/1\.1 200 OK\r\n/m)
    expect(await over).toBe(0)
  })

  it("a client that does not finish its request delays the end for listen.drain at most", async () => {
    const { child, over, port } = await serve({ ...enabled, listen: { drain_delay: 0, drain: 6 } })
    await halfSent(port)
    const begin = performance.now()
    child.kill("SIGTERM")
    expect(await over).toBe(0)
    const taken = performance.now() - begin
    expect(taken).toBeGreaterThan(5_500)
    expect(taken).toBeLessThan(10_000)
  })

  it("SIGTERM first refuses /readyz for listen.drain_delay, and still answers, with Connection: close", async () => {
    const { child, over, url } = await serve({ ...enabled, listen: { drain_delay: 3 } })
    expect((await fetch(`${url}/healthz`)).headers.get("connection")).toBe("keep-alive")
    const begin = performance.now()
    child.kill("SIGTERM")
    const refused = await until("readiness to end", async () => {
      const answer = await fetch(`${url}/readyz`)
      return answer.status === 503 ? answer : undefined
    })
    expect(await refused.json()).toEqual({ status: "unavailable", reason: "the process is stopping" })
    const answers = [await fetch(`${url}/healthz`), await post(url, "/sign-up/email"), await fetch(`${url}/unknown`)]
    expect(answers.map(({ status, headers }) => [status, headers.get("connection")])).toEqual([
      [200, "close"],
      [200, "close"],
      [404, "close"],
    ])
    expect(await over).toBe(0)
    expect(performance.now() - begin).toBeGreaterThan(2_900)
  })

  it("a second signal ends it at once", async () => {
    const { child, over, port } = await serve(enabled)
    await halfSent(port)
    const begin = performance.now()
    child.kill("SIGTERM")
    await pause(600)
    child.kill("SIGTERM")
    expect(await over).toBe(143)
    expect(performance.now() - begin).toBeLessThan(8_000)
  })

  it("delivers due mails before it exits", async () => {
    const { child, over, said, url } = await serve({ ...enabled, mail: { kind: "console" } })
    await post(url, "/sign-up/email")
    await post(url, "/request-password-reset")
    child.kill("SIGTERM")
    expect(await over).toBe(0)
    expect(said.out).toContain("To: ada@example.com")
  })

  it("delivers a mail right after its request, not at the next poll", async () => {
    const { said, url } = await serve({ ...enabled, mail: { kind: "console" } })
    await post(url, "/sign-up/email")
    await post(url, "/request-password-reset")
    await until("the mail", () => said.out.includes("To: ada@example.com") || undefined, 3)
  })

  it("a database that cannot be reached within 30 s: 69, after one line of waiting and one of why", async () => {
    const begin = performance.now()
    const { code, out, error } = await run([], { config: {}, environment: { DATABASE_URL: "postgres://me:hunter2@127.0.0.1:1/auth" } })
    expect(code).toBe(69)
    expect(performance.now() - begin).toBeGreaterThan(29_000)
    expect(performance.now() - begin).toBeLessThan(45_000)
    expect(out.trim().split("\n").length).toBe(1)
    expect(error).toBe("The store cannot be reached (connect ECONNREFUSED 127.0.0.1:1; store.url or DATABASE_URL names it).\n")
    expect(out).not.toContain("hunter2")
  })

  it("SIGTERM while it waits for the database ends it with 0", async () => {
    const { child, over, said } = begin([], { config: {}, environment: { DATABASE_URL: "postgres://me@127.0.0.1:1/auth" } })
    await until("the first try", () => said.out.includes("retrying for") || undefined)
    child.kill("SIGTERM")
    expect(await over).toBe(0)
  })

  it("a port in use: 78 and one line", async () => {
    const { port } = await serve()
    const { code, error } = await run([], { config: { store: { kind: "memory" } }, environment: { PORT: String(port) } })
    expect(code).toBe(78)
    expect(error).toMatch(/^listen: found .*EADDRINUSE.*, wanted .*\n$/)
  })

  it("a port in use ends the workers, too: 78 and one line", async () => {
    const { port } = await serve()
    const config = { store: await freshStore(), listen: { workers: 3 }, rate_limit: { enabled: false } }
    const { code, error } = await run([], { config, environment: { PORT: String(port) } })
    expect(code).toBe(78)
    expect(error).toMatch(/^listen: found .*EADDRINUSE.*, wanted .*\n$/)
  })

  it("faults of the configuration: 78 and one line for each", async () => {
    const { code, out, error } = await run(["serve"], {
      config: { secret: "hunter2", sesion: {}, log: { level: 3 } },
      environment: { PORT: "x" },
    })
    expect(code).toBe(78)
    expect(error.trim().split("\n").toSorted()).toEqual([
      'listen.port: found "x" in PORT, wanted a number',
      'log.level: found 3, wanted "trace", "debug", "info", "warn", "error" or "none"',
      "secret: found a text of 7 bytes, wanted at least 32 bytes; the command `secret` prints a good one",
      "sesion: found an unknown key, wanted session",
    ])
    expect(out).toBe("")
  })

  it("a file that Node cannot read: 78, and the line if Node reports it", async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, "wrong.ts"), "\nexport const wrong = { b: = 2 }")
    const told = async (file: string, text: string) => {
      writeFileSync(join(folder, file), text)
      const { code, error } = await run(["--config", file], { folder })
      expect(code).toBe(78)
      return error.replace(", wanted a configuration file that can be read\n", "")
    }
    const unclosed = 'export default {\n  secret: "hunter2,\n}'
    expect(await told("a.ts", unclosed)).toBe("a.ts: found a syntax error in line 2")
    expect(await told("a.js", unclosed)).toBe("a.js: found a syntax error")
    expect(await told("b.ts", 'const f = () => {\n  throw new Error("no luck")\n}\nexport default f()')).toBe(
      "b.ts: found no luck in line 2",
    )
    expect(await told("c.ts", "const x = 1\nenum Store { Memory }\nexport default { x }")).toBe(
      "c.ts: found TypeScript syntax that Node cannot strip, such as an enum, in line 2",
    )
    expect(await told("d.ts", 'export { wrong as default } from "./wrong.ts"')).toMatch(/^d\.ts: found a syntax error in .*wrong\.ts:2$/)
    expect(await told("e.ts", '\nimport { right } from "./f.ts"\nexport default right')).toMatch(/^e\.ts: found Cannot find module .*f\.ts/)
  })

  it("graphql.path with the path of an endpoint: 78 and one line", async () => {
    const { code, error } = await run(["serve"], { config: { graphql: { path: "/api/auth/sign-out" } } })
    expect(code).toBe(78)
    expect(error).toBe('graphql.path: found "/api/auth/sign-out", the path of an endpoint, wanted another path\n')
  })

  it("colours that cannot be read: 78 and a line for each pair", async () => {
    const branding = { colors: { text: { light: "#999999", dark: "#eceef4" } } }
    const { code, error } = await run(["serve"], {
      config: { store: { kind: "memory" }, listen: { port: await freePort() }, pages: {}, branding },
    })
    expect(code).toBe(78)
    expect(error.trim().split("\n")).toEqual([
      "branding.colors: found that text on page (light) has a contrast of 2.65:1, and needs 4.5:1",
      "branding.colors: found that text on surface (light) has a contrast of 2.84:1, and needs 4.5:1",
      "branding.colors: found that text on field (light) has a contrast of 2.84:1, and needs 4.5:1",
    ])
  })

  it("an extension in another folder shares the classes of the service: sallyport/module is not loaded twice", async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(repository, join(folder, "node_modules/sallyport"))
    const own = `
      import { Conflict, Endpoint, Errors, Module } from "sallyport/module"
      import { Conflict as Served } from ${JSON.stringify(join(repository, "domain/ports/store.ts"))}
      import { signInLog } from ${JSON.stringify(join(repository, "examples/sign-in-log.ts"))}
      if (Conflict !== Served) throw new Error("two classes of one name")
      export default { secret: "${secret}", extensions: [signInLog] }`
    writeFileSync(join(folder, "own.ts"), own)
    const { code, out, error } = await run(["schema", "--config", "own.ts"], { folder, program: join(repository, "bin.js") })
    expect([code, error]).toEqual([0, ""])
    expect(out).toContain("type SignInLogEntry")
  })

  it("have settings that the command settings prints, also without a valid configuration", async () => {
    const folder = temporaryFolder()
    const billing = `
      import { Schema } from ${JSON.stringify(join(repository, "node_modules/effect/dist/index.js"))}
      import { Module } from ${JSON.stringify(join(repository, "module.ts"))}
      const billing = Module.define({ name: "billing", settings: Schema.Struct({ currency: Schema.String }), parts: () => ({}) })
      export default { sesion: {}, extensions: [billing] }`
    writeFileSync(join(folder, "own.js"), billing)
    const own = ["settings", "modules.billing"]
    expect(await run([...own, "--config", "own.js"], { folder })).toMatchObject({
      code: 0,
      out: expect.stringContaining("modules.billing.currency"),
    })
    expect(await run(own, { folder })).toMatchObject({ code: 64, error: expect.stringContaining("No setting has this key.") })
    writeFileSync(join(folder, "broken.js"), "export default {")
    const rest = await run(["settings", "session.expires_in", "--config", "broken.js"], { folder })
    expect(rest).toMatchObject({
      code: 0,
      out: expect.stringContaining("session.expires_in"),
      error: expect.stringContaining("broken.js: found"),
    })
  })

  it("two modules that declare the same path: 78 and one line", async () => {
    const folder = temporaryFolder()
    const extension = `
      import { Effect } from ${JSON.stringify(join(repository, "node_modules/effect/dist/index.js"))}
      import { Endpoint, Module } from ${JSON.stringify(join(repository, "module.ts"))}
      const again = Endpoint.make({
        method: "GET", path: "/get-session", summary: "Again.", access: "public",
        input: Endpoint.NoInput, output: Endpoint.NoInput, handler: () => Effect.succeed(Endpoint.reply({})),
      })
      const extension = Module.define({ name: "again", settings: Module.NoSettings, parts: () => ({ endpoints: [again] }) }).build({})`
    writeFileSync(join(folder, "twice.js"), `${extension}\nexport default { secret: "${secret}", extensions: [extension] }`)
    const { code, error } = await run(["--config", "twice.js"], { folder })
    expect(code).toBe(78)
    expect(error).toBe("extensions: found a conflict (two modules declare the path GET /get-session), wanted modules without conflicts\n")
  })

  it("an object that Module.define has not made: 78 and one line", async () => {
    const folder = temporaryFolder()
    const extension = `{ name: "again", tables: [], hooks: [], endpoints: {} }`
    writeFileSync(join(folder, "object.js"), `export default { secret: "${secret}", extensions: [${extension}] }`)
    const { code, error } = await run(["--config", "object.js"], { folder })
    expect(code).toBe(78)
    expect(error).toContain("wanted a module made by Module.define")
  })
})

describe("an OpenAPI document with two schemas of one name", () => {
  const fault = "extensions: found a conflict (two schemas have the OpenAPI name User), wanted modules without conflicts"
  const extension = `
    import { Effect, Schema } from ${JSON.stringify(join(repository, "node_modules/effect/dist/index.js"))}
    import { Endpoint, Module } from ${JSON.stringify(join(repository, "module.ts"))}
    const output = Schema.Struct({ nickname: Schema.String }).annotate({ identifier: "User" })
    const handler = () => Effect.succeed(Endpoint.reply({ nickname: "Ada" }))
    const tried = Endpoint.make({ method: "GET", path: "/nickname", summary: "A nickname.", access: "public", input: Endpoint.NoInput, output, handler })
    const nicknames = Module.define({ name: "nicknames", settings: Module.NoSettings, parts: () => ({ endpoints: [tried] }) }).build({})`
  const withExtension = (settings: Config) => {
    const folder = temporaryFolder()
    const config = JSON.stringify({ secret, store: { kind: "memory" }, mail: { kind: "none" }, log: { format: "json" }, ...settings })
    writeFileSync(
      join(folder, "twice.ts"),
      `${extension}\nexport default { ...${config}, graphql: { enabled: false }, extensions: [nicknames] }`,
    )
    return { folder }
  }

  it("fails doctor and openapi", async () => {
    const options = withExtension({ public_url: `http://localhost:${await freePort()}` })
    const examined = await run(["doctor", "--config", "twice.ts"], options)
    expect([examined.code, examined.out]).toEqual([1, `error  configuration: ${fault}\n`])
    expect(await run(["openapi", "--config", "twice.ts"], options)).toMatchObject({ code: 78, error: `${fault}\n` })
  })

  it("lets the service start, which answers 500 for the document and logs the fault", async () => {
    const port = await freePort()
    const { said } = begin(["--config", "twice.ts"], withExtension({ public_url: `http://localhost:${port}` }))
    const url = `http://127.0.0.1:${port}/api/auth`
    const nickname = () => fetch(`${url}/nickname`).catch(() => undefined)
    expect((await until("the service to listen", nickname, 120)).status).toBe(200)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(500)
    await until("the fault in the log", async () => (said.out.includes("two schemas have the OpenAPI name User") ? true : undefined))
  })
})

describe("migrate and doctor", () => {
  it("migrate prints its statements, once; doctor reports the state before and after", async () => {
    const environment = { DATABASE_URL: await freshDatabase() }
    const before = await run(["doctor"], { config: {}, environment })
    expect(before.code).toBe(0)
    expect(before.out).toMatch(/^ok {5}store: reachable, and empty: the first start creates the tables$/m)

    const planned = await run(["migrate", "--plan"], { config: {}, environment })
    const first = await run(["migrate"], { config: {}, environment })
    expect(planned).toMatchObject({ code: 0, out: first.out, error: "" })
    expect([first.code, first.error]).toEqual([0, ""])
    expect(first.out).toMatch(/^CREATE TABLE "user" /m)
    expect(await run(["migrate"], { config: {}, environment })).toMatchObject({ code: 0, out: "Nothing to do.\n" })

    const after = await run(["doctor"], { config: {}, environment })
    expect([after.code, after.error]).toEqual([0, ""])
    expect(after.out).toMatch(/^ok {5}store: reachable, and its tables are up to date$/m)
  })

  it("a change that needs a decision is printed with its statement: 78", async () => {
    const url = await freshDatabase()
    const options = { config: {}, environment: { DATABASE_URL: url } }
    await run(["migrate"], options)
    await sql(url, 'ALTER TABLE "user" ALTER COLUMN name TYPE integer USING NULL')
    const { code, error } = await run(["migrate"], options)
    expect(code).toBe(78)
    expect(error).toMatch(/ALTER TABLE "user" ALTER COLUMN "name" TYPE text/)
    const examined = await run(["doctor"], options)
    expect(examined.code).toBe(1)
    expect(examined.out).toMatch(/^error {2}store: .*ALTER TABLE/m)
  })

  it("doctor suggests the cost of the password hash for a time, as JSON", async () => {
    const config = { store: { kind: "memory" }, email_password: { enabled: true } }
    const { code, out } = await run(["doctor", "--hash-time", "1000", "--json"], { config })
    expect(code).toBe(0)
    const found = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const { hash, milliseconds } = found.find(({ check }) => check === "hash_time")
    expect(hash.memory_kib).toBeGreaterThanOrEqual(19_456)
    expect(hash.passes).toBeGreaterThanOrEqual(2)
    expect(milliseconds).toBeLessThan(1000)
    expect(await run(["doctor", "--hash-time", "1001"], { config })).toMatchObject({
      code: 64,
      error: expect.stringContaining("1 and 1000"),
    })
  })

  it("doctor repeats faults of the configuration, and ends with 1", async () => {
    const { code, out } = await run(["doctor"], { config: { sesion: {} } })
    expect([code, out]).toEqual([1, "error  configuration: sesion: found an unknown key, wanted session\n"])
  })
})

describe("user", () => {
  const password = "correct horse battery staple"
  const config = { ...enabled, modules: { admin: {} }, store: { kind: "embedded", directory: "data" } }
  const signIn = (url: string, email: string) =>
    fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    })

  it("makes the first administrator and bans users, also for the service that starts next", async () => {
    const folder = temporaryFolder()
    const created = await run(["user", "create", "Root@example.com", "--name", "Root", "--admin"], {
      config,
      folder,
      input: `${password}\n`,
    })
    expect(created.code).toBe(0)
    expect(created.error).toMatch(/^.* INFO .*: Creating the database in data\. This can take half a minute\.\n$/)
    expect(created.out).toMatch(/^root@example\.com is user [\w-]{36}, an administrator\.\n$/)
    expect(await run(["user", "create", "ada@example.com"], { folder, input: password })).toMatchObject({ code: 0 })
    const banned = await run(["user", "ban", "ADA@example.com", "--reason", "spam", "--expires-in", "3600"], { folder })
    expect(banned).toEqual({ code: 0, out: "ada@example.com is banned; all of their sessions are ended.\n", error: "" })

    const { url, child, over } = await serve(config, { folder })
    const refused = await signIn(url, "ada@example.com")
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, "banned"])
    const signedIn = await signIn(url, "root@example.com")
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
    const list = await fetch(`${url}/api/auth/admin/list-users`, { headers: { cookie } })
    const { users } = (await list.json()) as { users: ReadonlyArray<{ email: string; role: string; banned: boolean }> }
    expect(users.map(({ email, role, banned }) => [email, role, banned])).toEqual([
      ["ada@example.com", "user", true],
      ["root@example.com", "admin", false],
    ])

    const busy = await run(["user", "make-admin", "ada@example.com"], { folder })
    expect(busy.code).toBe(69)
    expect(busy.error).toMatch(/^The data directory data is in use by process \d+; stop that one first.*\n$/)
    child.kill("SIGTERM")
    await over
    const made = await run(["user", "make-admin", "ada@example.com"], { folder })
    expect(made).toEqual({ code: 0, out: "ada@example.com is an administrator.\n", error: "" })
  })

  it("shows, signs out, mails and removes users without the module admin, which only roles and bans need", async () => {
    const folder = temporaryFolder()
    const config = { ...enabled, store: await freshStore() }
    expect(await run(["user", "create", "ada@example.com"], { config, folder, input: "correct horse battery staple" })).toMatchObject({
      code: 0,
    })
    for (const [args, printed] of [
      [["list"], "ada@example.com"],
      [["show", "ada@example.com"], "ada@example.com"],
      [["sessions", "ada@example.com"], ""],
      [["sessions", "ada@example.com", "--revoke"], "0 sessions of ada@example.com are ended."],
      [["reset", "ada@example.com"], "is in the outbox."],
      [["delete", "ada@example.com", "--yes"], "ada@example.com is removed."],
    ] as const) {
      const { code, out, error } = await run(["user", ...args], { config, folder })
      expect([code, error], args.join(" ")).toEqual([0, ""])
      expect(out).toContain(printed)
      expect(out).not.toMatch(/role|banned/)
    }
  })

  it("prints in one line why it fails, without the typed password", async () => {
    const folder = temporaryFolder()
    const onServer = { ...config, store: await freshStore() }
    const asked = async (args: ReadonlyArray<string>, input = "") => {
      const { code, out, error } = await run(["user", ...args], { config: onServer, folder, input })
      expect([code, out]).toEqual([1, ""])
      return error
    }
    await run(["user", "create", "eve@example.com"], { config: onServer, folder, input: password })
    expect(await asked(["create", "ada"])).toBe("email: Expected an email address\n")
    expect(await asked(["create", "ada@example.com"])).toBe("No password was given on the first line of standard input.\n")
    expect(await asked(["create", "ada@example.com"], "hunter2\n")).toBe("The password must have at least 8 characters.\n")
    await run(["user", "create", "ada@example.com"], { config: onServer, folder, input: password })
    expect(await asked(["create", "ADA@example.com"])).toBe("A user with this email address exists.\n")
    expect(await asked(["ban", "unknown"])).toBe("This user does not exist.\n")
    expect(await asked(["make-admin", "unknown@example.com"])).toBe("This user does not exist.\n")
    expect(await asked(["ban", "ada@example.com", "--expires-in", "0"])).toMatch(/^expires_in: Expected a value between 1 and \d+\n$/)
  })

  it("refuses commands without a lasting effect: 78", async () => {
    const refused = async (config: Config, args: ReadonlyArray<string>) => {
      const { code, error } = await run(["user", ...args], { config, input: password })
      expect(code).toBe(78)
      return error
    }
    const inMemory = { modules: { admin: {} }, store: { kind: "memory" } }
    expect(await refused(inMemory, ["create", "ada@example.com"])).toBe("store: found memory, wanted a store that outlives this command\n")
    for (const args of [
      ["ban", "ada"],
      ["unban", "ada"],
      ["make-admin", "ada"],
      ["create", "ada@example.com", "--admin"],
    ])
      expect(await refused({}, args)).toMatch(/^modules\.admin: found nothing, wanted at least \{\}/)
  })

  it("commands that need a database do not create an empty one: 1", async () => {
    for (const args of [
      ["user", "list"],
      ["audit", "verify"],
      ["secret", "rotate"],
    ]) {
      const folder = temporaryFolder()
      const { code, out, error } = await run(args, { config: { ...config, modules: { admin: {}, audit: {} } }, folder })
      expect([code, out, error]).toEqual([1, "", "There is no database in data.\n"])
      expect(existsSync(join(folder, "data"))).toBe(false)
    }
  })

  it.each([["create"], ["ban"], ["make-admin"]])("%s explains itself", async (name) => {
    const { code, out } = await run(["user", name, "--help"])
    expect(code).toBe(0)
    expect(out).toContain(`sallyport user ${name}`)
    expect(out).toContain("--config FILE")
  })
})

describe("secret rotate", () => {
  it("lets an old secret be removed; until then a start without it is refused with the count and the remedy", async () => {
    const folder = temporaryFolder()
    const [old, newer] = ["an old secret for these tests, 32+ bytes", "a new secret for these tests, 32+ bytes"]
    const store = await freshStore()
    const with_ = (secret: unknown) => ({ ...enabled, modules: { two_factor: {}, audit: {} }, store, secret })
    const first = await serve(with_(old), { folder })
    const cookie = (await post(first.url, "/sign-up/email")).headers.get("set-cookie")?.split(";")[0] ?? ""
    const enrolled = await fetch(`${first.url}/api/auth/2fa/totp/enable`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify({ password: "correct horse battery staple" }),
    })
    expect(enrolled.status).toBe(200)
    first.child.kill("SIGTERM")
    await first.over

    const refusal = "none of the listed secrets can decrypt 1 value of two_factor.secret; list the removed secret again"
    const refused = await run([], { config: with_(newer), folder })
    expect([refused.code, refused.out]).toEqual([78, ""])
    expect(refused.error).toMatch(new RegExp(`^secret: ${refusal}.*\\n$`))
    const examined = await run(["doctor"], { config: with_(newer), folder })
    expect(examined.out).toContain(`error  secret: ${refusal}`)
    expect(await run(["secret", "rotate"], { config: with_(newer), folder })).toMatchObject({ code: 78, error: refused.error })

    const rotated = await run(["secret", "rotate"], { config: with_([newer, old]), folder })
    expect(rotated).toMatchObject({ code: 0, error: "" })
    expect(rotated.out).toMatch(/^two_factor\.secret: 1 resealed$/m)
    expect(await run(["audit", "verify"], { config: with_(newer), folder })).toMatchObject({ code: 0, error: "" })
    await serve(with_(newer), { folder })
  })

  it("refuses a store in memory, which is lost when the command ends: 78", async () => {
    const { code, error } = await run(["secret", "rotate"], { config: { store: { kind: "memory" } } })
    expect([code, error]).toEqual([78, "store: found memory, wanted a store that outlives this command\n"])
  })
})

describe("the command line", () => {
  it("secret prints at least 32 bytes, and needs no configuration", async () => {
    const { code, out } = await run(["secret"])
    expect(code).toBe(0)
    expect(Buffer.from(out.trim(), "base64url").length).toBeGreaterThanOrEqual(32)
    expect((await run(["secret"])).out).not.toBe(out)
  })

  it.each([[["--help"]], [["serve", "--help"]]])("%j explains itself", async (args) => {
    const { code, out } = await run(args)
    expect(code).toBe(0)
    expect(out).toContain("--config FILE")
  })

  it.each([[["user", "nosuch"]], [["user", "list", "--nosuch"]]])("%j gets the usage: 64", async (args) => {
    const { code, out } = await run(args)
    expect(code).toBe(64)
    expect(out).toContain("sallyport user")
  })

  it("an unknown command gets the usage: 64", async () => {
    const { code, out, error } = await run(["srve"])
    expect(code).toBe(64)
    expect(out.match(/^ {2}(serve|doctor|settings) {2,}/gm)).toHaveLength(3)
    expect(error).toContain("srve")
  })

  it("a --config that is not there: 78", async () => {
    expect(await run(["--config", "gone.json"])).toMatchObject({
      code: 78,
      error: "gone.json: found no such file, wanted a configuration file\n",
    })
  })
})
