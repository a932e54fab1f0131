import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { afterEach, expect, it } from "vitest"
import { load } from "../../../adapters/config/load.ts"

const secrets = ["a", "b", "c"].map((letter) => letter.repeat(43))
const [first = "", second = "", third = ""] = secrets
const directory = mkdtempSync(join(tmpdir(), "sallyport-env-"))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const read = async (config: string, environment: Record<string, string> = {}) => {
  writeFileSync(join(directory, "sallyport.config.js"), `export default ${config}`)
  return Effect.runPromise(load({ directory, environment }, []))
}

it("a configuration with `fill` is read with the variables of .env.local and .env, of which the first and those that are set win", async () => {
  writeFileSync(join(directory, ".env.local"), `SALLYPORT_SECRET=${second}\n`)
  writeFileSync(join(directory, ".env"), `SALLYPORT_SECRET=${third}\nSALLYPORT_PUBLIC_URL=http://localhost:4000\nPORT=7\n`)
  const secretIn = async (environment: Record<string, string>) => {
    const { secrets, settings, listen } = await read(`{ environment: "fill" }`, environment)
    expect([settings.public_url, listen.port]).toEqual(["http://localhost:4000", 4000])
    return (await Effect.runPromise(secrets)).map(Redacted.value)
  }
  expect(await secretIn({})).toEqual([second])
  expect(await secretIn({ SALLYPORT_SECRET: first })).toEqual([first])

  const { settings } = await read(`{ secret: "${first}" }`)
  expect(settings.public_url).toBe("http://localhost:3000")
})
