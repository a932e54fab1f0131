import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { ExtraDefinition } from "../../application/modules/index.ts"
import { inWords, type Setting, settingsWith, withoutLinks } from "../config/reference.ts"
import { argument } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"

const key = argument("key", "A setting or a section, such as session or modules.jwt. Default: all").pipe(Argument.optional)

const textOf = ({ description = "", kind, path, variables, ...setting }: Setting): string => {
  const facts = [kind === undefined ? "" : `kind ${kind}`, setting.type, `default: ${inWords(setting)}`, ...variables].filter(
    (fact) => fact !== "",
  )
  const about = description === "" ? [] : [`    ${withoutLinks(description)}`]
  return [path, `    ${facts.join(" · ")}`, ...about].join("\n")
}

const isIn = (section: string, { path }: Setting) => `${path.replaceAll("[]", "")}.`.startsWith(`${section}.`)

/** Runs an action with the modules that the configuration can enable. */
type WithModules<S> = (action: (modules: ReadonlyArray<ExtraDefinition>) => Effect.Effect<void, unknown>) => Effect.Effect<void, unknown, S>

/** `settings`: the reference of the configuration. */
export const settingsCommand = <S>(withModules: WithModules<S>) =>
  Command.make("settings", { key }, ({ key }) =>
    withModules((modules) => {
      const all = settingsWith(modules)
      const wanted = Option.match(key, { onNone: () => all, onSome: (section) => all.filter((setting) => isIn(section, setting)) })
      return wanted.length === 0
        ? Effect.fail(stop("No setting has this key. Without a key, the command prints all.", codes.usage))
        : Console.log(wanted.map(textOf).join("\n"))
    }),
  ).pipe(Command.withDescription("Print the keys of the configuration: type, default, environment variable and meaning"))
