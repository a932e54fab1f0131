import { once } from "node:events"
import { createServer } from "node:http"
import { Effect, Schema } from "effect"
import { Endpoint, Module } from "sallyport/module"
import { call, html, page, plainCard, Visit } from "sallyport/pages"
import { expect, it } from "vitest"
import { nodeHandler, sallyport } from "../../index.ts"
import { freePort } from "../free-port.ts"
import { startBrowser } from "./browser.ts"
import { atEnd } from "./endings.ts"

let isConfirmed = false
const state = Endpoint.make({
  method: "GET",
  path: "/confirmation",
  summary: "Whether the confirmation has come.",
  access: "public",
  input: Endpoint.NoInput,
  output: Schema.Struct({ confirmed: Schema.Boolean }),
  handler: Effect.fnUntraced(function* confirmation() {
    return Endpoint.reply({ confirmed: yield* Effect.sync(() => isConfirmed) })
  }),
})
const waiting = page({
  path: "/wait",
  endpoints: [state],
  access: "public",
  show: Effect.gen(function* () {
    const { view } = yield* Visit
    if ((yield* call(state, {})).confirmed) return { to: view.href("/sign-in") }
    return { title: "Wait", main: plainCard(html`<h1>Wait</h1><a href="${view.href("/wait")}">Check again</a>`), scripts: ["waiting"] }
  }),
})
const confirmation = Module.define({
  name: "confirmation",
  settings: Module.NoSettings,
  parts: () => ({ endpoints: [state], pages: [waiting] }),
})

it("a page of a module that waits goes on when its wait is over", async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const auth = sallyport({
    secret: "a secret for these tests only, 32+ bytes",
    public_url: url,
    store: { kind: "memory" },
    mail: { kind: "none" },
    log: { level: "none" },
    email_password: { enabled: true },
    pages: {},
    extensions: [confirmation],
  })
  const server = createServer(nodeHandler(auth))
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
    await auth.close()
  })
  await once(server.listen(port), "listening")

  const opened = await (await startBrowser()).newPage()
  const faults: Array<string> = []
  opened.on("pageerror", ({ message }) => faults.push(message))
  opened.on("console", (message) => message.type() === "error" && faults.push(message.text()))
  await opened.goto(`${url}/wait?return_to=/account#here`)
  await opened.waitForResponse((response) => response.request().resourceType() === "fetch")
  expect(await opened.getByRole("heading").textContent()).toBe("Wait")
  isConfirmed = true
  await opened.waitForURL("**/sign-in")
  expect(faults).toEqual([])
})
