import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import type { ExtraDefinition } from "../../application/modules/index.ts"
import { settingsWith } from "../config/reference.ts"
import { argument } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { printStop, stop } from "../process/stop.ts"

/** `add`: the lines that enable a module, with a placeholder for each required setting. */
export const addCommand = (modules: ReadonlyArray<ExtraDefinition>) =>
  Command.make("add", { name: argument("module", "The name of a module, such as magic_link") }, ({ name }) => {
    const names = modules.map((module) => module.name)
    if (!names.includes(name))
      return printStop(Effect.fail(stop(`No module has this name. Wanted one of ${names.join(", ")}.`, codes.usage)))
    const own = settingsWith(modules).filter(({ path }) => path.startsWith(`modules.${name}.`))
    const required = own.flatMap(({ path, default: given }) =>
      given.is === "required" ? (path.match(/^modules\.\w+\.(\w+)$/)?.[1] ?? []) : [],
    )
    const value = required.length === 0 ? "{}" : `{ ${required.map((key) => `${key}: "…"`).join(", ")} }`
    const more = own.length === 0 ? [] : [`// npx sallyport settings modules.${name} prints its settings.`]
    return Console.log([...more, "modules: {", `  ${name}: ${value},`, "},"].join("\n"))
  }).pipe(Command.withDescription("Print the lines of the configuration that enable a module"))
