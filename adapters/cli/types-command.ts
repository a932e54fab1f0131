import { writeFileSync } from "node:fs"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { fileOfTypes, hasTypes } from "../client-types/types-file.ts"
import { newSecret } from "../config/kept-secret.ts"
import type { Configuration } from "../config/load.ts"
import { type Given, text, toggle } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import type { WithConfiguration } from "./store-command.ts"

const flags = {
  out: text("out", "Write the types to this file, such as sallyport.types.ts. Default: print them").pipe(Flag.withMetavar("FILE")),
  check: toggle("check", "Write nothing, and exit with 1 if the file has not the types of the configuration"),
}

export type Options = Given<typeof flags>

export const typesCommand = <R, S>(
  run: WithConfiguration<R, S>,
  types: (configuration: Configuration, options: Options) => Effect.Effect<void, unknown, R>,
) =>
  Command.make("types", flags, (options) => {
    // The types do not depend on the secret, which a build and a check of sources do not have.
    if (!process.env["SALLYPORT_SECRET_FILE"]) process.env["SALLYPORT_SECRET"] ||= newSecret()
    return run((configuration) => types(configuration, options))
  }).pipe(Command.withDescription("Write the types of the client for the enabled modules, your own included"))

/** Prints the types, writes them to a file, or checks this file. */
export const writeTypes = Effect.fnUntraced(function* writeTypes(types: string, { out, check }: Options) {
  const text = fileOfTypes(types)
  if (Option.isNone(out)) {
    if (check) return yield* stop("--check needs --out.", codes.usage)
    return yield* Console.log(text)
  }
  const file = out.value
  if (hasTypes(file, types)) return yield* Console.log(`Unchanged: ${file}`)
  if (check) return yield* stop(`${file} is stale. Update it: sallyport types --out ${file}`)
  yield* Effect.try({ try: () => writeFileSync(file, text), catch: (error) => stop(`${file} cannot be written: ${String(error)}`) })
  yield* Console.log(`Written: ${file}`)
})
