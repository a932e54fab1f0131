import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startBrowser } from "../e2e/browser.ts"
import { atEnd } from "../e2e/endings.ts"
import { temporaryFolder } from "../e2e/program.ts"
import { until } from "../e2e/waiting.ts"
import { environment, pack, packCreate } from "../package/tarball.ts"
import { freeOrigin, runIn, serve } from "./example.ts"

// From an empty folder to the first sign-up, as a newcomer does it: with the commands of the documentation, from a registry on this machine.

/** Some registries lack the tag `cjs` of node-fetch, which verdaccio names. */
const registry = { private: true, dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } }

/** A registry with the two packages of this repository; it passes on requests for others. */
const startRegistry = async () => {
  const [folder, { port, url }] = [temporaryFolder(), await freeOrigin()]
  const upstream = execFileSync("npm", ["config", "get", "registry"], { env: environment, encoding: "utf8" }).trim()
  const own = { access: "$all", publish: "$anonymous", unpublish: "$anonymous" }
  const configuration = {
    storage: "./storage",
    uplinks: { npmjs: { url: upstream, maxage: "30m" } },
    packages: { sallyport: own, "create-sallyport": own, "**": { access: "$all", proxy: "npmjs" } },
    log: { type: "stdout", format: "pretty", level: "warn" },
    max_body_size: "200mb",
  }
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(configuration))
  writeFileSync(join(folder, "package.json"), JSON.stringify(registry))
  await runIn(folder, ["npm", "install", "--no-audit", "--no-fund"])
  const child = spawn("node_modules/.bin/verdaccio", ["--config", "config.yaml", "--listen", port], { cwd: folder, env: environment })
  const exited = once(child, "exit")
  atEnd(async () => {
    child.kill("SIGKILL")
    await exited
  })
  await until("the registry", async () => (await fetch(`${url}/-/ping`).catch(() => undefined))?.ok || undefined, 60)
  const userconfig = join(folder, "npmrc")
  writeFileSync(userconfig, `registry=${url}/\n//localhost:${port}/:_authToken=none\ncache=${join(folder, "cache")}\n`)
  const variables = { npm_config_userconfig: userconfig, npm_config_registry: `${url}/` }
  for (const tarball of [pack(), packCreate()]) await runIn(folder, ["npm", "publish", tarball, "--provenance=false"], variables)
  return variables
}

it("create-next-app and npm create sallyport lead to a sign-up in a browser", { timeout: 900_000 }, async () => {
  const variables = { ...(await startRegistry()), NEXT_TELEMETRY_DISABLED: "1" }
  const parent = temporaryFolder()
  const began = Date.now()
  await runIn(parent, ["npx", "--yes", "create-next-app@16.4.3", "app", "--yes", "--ts", "--no-git"], variables)
  const scaffolded = Date.now()
  const app = join(parent, "app")
  await runIn(app, ["npm", "create", "sallyport@latest", "--yes", "--", "--yes"], variables)
  const created = Date.now()

  const { port, url } = await freeOrigin()
  await serve(app, ["npm", "run", "dev", "--", "--port", port], `${url}/auth/sign-up`, {
    ...variables,
    NODE_ENV: "development",
    SALLYPORT_PUBLIC_URL: url,
  })
  const page = await (await startBrowser()).newPage()
  await page.goto(`${url}/auth/sign-up`)
  await page.locator("input[name=email]").fill("ada@example.com")
  await page.locator("input[type=password]").first().fill("correct horse battery staple")
  await page.locator("main form button[type=submit], main form button:not([type])").first().click()
  await page.waitForURL((to) => !to.pathname.endsWith("/sign-up"))
  const { user } = await page.evaluate(async () => await (await fetch("/api/auth/get-session")).json())
  expect(user.email).toBe("ada@example.com")
  const seconds = (to: number, from: number) => Math.round((to - from) / 1000)
  console.log(
    `seconds: create-next-app ${seconds(scaffolded, began)}, create sallyport ${seconds(created, scaffolded)}, in total ${seconds(Date.now(), began)}`,
  )
})
