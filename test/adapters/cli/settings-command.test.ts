import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { describe, expect, it } from "vitest"
import { settingsCommand } from "../../../adapters/cli/settings-command.ts"
import { optional } from "../../../application/modules/index.ts"

const run = async (...args: ReadonlyArray<string>) => {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) }
  const program = Command.runWith(settingsCommand(optional), { version: "" })(args)
  const exit = await Effect.runPromiseExit(
    program.pipe(Effect.provideService(Console.Console, console), Effect.provide(NodeServices.layer)),
  )
  return { isSuccess: Exit.isSuccess(exit), text: lines.join("\n") }
}

const keysOf = (text: string) => text.split("\n").filter((line) => !line.startsWith(" "))

describe("settings", () => {
  it("prints every setting of the core, the process and the modules", async () => {
    const { text } = await run()
    expect(keysOf(text)).toEqual(expect.arrayContaining(["session.expires_in", "store.url", "modules.idp.clients[].client_id"]))
  })

  it("prints the settings of a section, with type, default, variable and meaning", async () => {
    const { text } = await run("redis")
    expect(keysOf(text)).toEqual(["redis", "redis.url"])
    expect(text).toContain("a URL that begins with redis:// or rediss:// · default: required · REDIS_URL")
    expect(text).toContain("The URL of a Redis or Valkey.")
  })

  it("does not take the beginning of a name for a section", async () => {
    expect(keysOf((await run("session")).text)).not.toContain("session_requests")
    expect(keysOf((await run("rate_limit.sms")).text)).toEqual(["rate_limit.sms"])
  })

  it("refuses a key that does not exist", async () => {
    expect(await run("sesion")).toEqual({
      isSuccess: false,
      text: "No setting of the service has this key; those of `extensions` are not listed. Without a key, the command prints all.",
    })
  })
})
