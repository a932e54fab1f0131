import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit, Schema } from "effect"
import { Command } from "effect/cli"
import { describe, expect, it } from "vitest"
import { settingsCommand } from "../../../adapters/cli/settings-command.ts"
import { printStop } from "../../../adapters/process/stop.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Module from "../../../application/service/module.ts"
import { about, orElse } from "../../../domain/settings.ts"

const billing = Module.define({
  name: "billing",
  settings: Schema.Struct({ currency: Schema.String, days: Schema.Int.pipe(orElse(30), about("Days until a bill is due.")) }),
  parts: () => ({}),
})

const run = async (...args: ReadonlyArray<string>) => {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) }
  const program = Command.runWith(
    settingsCommand((action) => action([...optional, billing])),
    { version: "" },
  )(args)
  const exit = await Effect.runPromiseExit(
    printStop(program).pipe(Effect.provideService(Console.Console, console), Effect.provide(NodeServices.layer)),
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

  it("prints the settings of the configuration's own modules, described or not", async () => {
    const { text } = await run("modules.billing")
    expect(keysOf(text)).toEqual(["modules.billing.currency", "modules.billing.days"])
    expect(text).toContain("a text · default: required")
    expect(text).toContain("Days until a bill is due.")
  })

  it("does not take the beginning of a name for a section", async () => {
    expect(keysOf((await run("session")).text)).not.toContain("session_requests")
    expect(keysOf((await run("rate_limit.sms")).text)).toEqual(["rate_limit.sms"])
  })

  it("refuses a key that does not exist", async () => {
    expect(await run("sesion")).toEqual({
      isSuccess: false,
      text: "No setting has this key. Without a key, the command prints all.",
    })
  })
})
