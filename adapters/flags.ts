import { Argument, type Command, Flag } from "effect/cli"

// Flags and arguments of several commands.

/** An argument that the command cannot do without. */
export const argument = (name: string, description: string) => Argument.String(name).pipe(Argument.withDescription(description))

/** A text that can be left out. */
export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** A flag that is off unless it is given. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** `--json` of every command that prints a result. */
export const json = toggle("json", "Print JSON, one object a line")

/** A list: `--limit` and `--json`. */
export const listing = {
  limit: Flag.Int("limit").pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription("The maximum number of lines (1 to 1000); default: 100"),
    Flag.withDefault(100),
    Flag.filter(
      (limit) => limit >= 1 && limit <= 1000,
      () => "Expected a number between 1 and 1000",
    ),
  ),
  json,
}

/** What a command with these flags and arguments is given. */
export type Given<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** What a list is given. */
export type Listing = Given<typeof listing>
