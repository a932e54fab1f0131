import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit, Schema } from "effect"
import { Command } from "effect/cli"
import { expect, it } from "vitest"
import { addCommand } from "../../../adapters/cli/add-command.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Module from "../../../application/service/module.ts"
import { about, orElse } from "../../../domain/settings.ts"

const billing = Module.define({
  name: "billing",
  settings: Schema.Struct({
    currency: Schema.String.pipe(about("The currency.")),
    days: Schema.Int.pipe(orElse(30), about("Days.")),
  }),
  parts: () => ({}),
})

const run = async (name: string) => {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) }
  const program = Command.runWith(addCommand([...optional, billing]), { version: "" })([name])
  const exit = await Effect.runPromiseExit(
    program.pipe(Effect.provideService(Console.Console, console), Effect.provide(NodeServices.layer)),
  )
  return [Exit.isSuccess(exit), lines.join("\n")]
}

it("prints the lines that enable a module, with its required settings", async () => {
  const more = (name: string) => `// npx sallyport settings modules.${name} prints its settings.`
  expect(await run("magic_link")).toEqual([true, `${more("magic_link")}\nmodules: {\n  magic_link: {},\n},`])
  expect(await run("billing")).toEqual([true, `${more("billing")}\nmodules: {\n  billing: { currency: "…" },\n},`])
  expect(await run("username")).toEqual([true, "modules: {\n  username: {},\n},"])
})

it("refuses a name that is of no module", async () => {
  expect(await run("magic")).toEqual([false, expect.stringContaining("magic_link")])
})
