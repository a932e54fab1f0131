import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import type { Rotated } from "../../domain/secrets/sealing.ts"
import { newSecret } from "../config/kept-secret.ts"
import type { Configuration } from "../config/load.ts"
import { toggle } from "../flags.ts"
import type { Selected } from "../key-management/layer.ts"
import type { WithConfiguration } from "./store-command.ts"
import { demandStore } from "./users.ts"
import { printNewWrapped, printRewrapped, printUnwrapped } from "./wrapped-secrets.ts"

/** Encrypts the stored values under the first secret and reports the result. Fails if a value needs a secret that is not listed. */
export type Rotate<R> = (
  configuration: Configuration,
  removeUnreadable: boolean,
  report: (rotated: ReadonlyArray<Rotated>) => Effect.Effect<void>,
) => Effect.Effect<void, unknown, R>

interface Readers<R, S> {
  readonly withConfiguration: WithConfiguration<R, S>
  /** Reads only the settings of the key management: `secret wrap` makes the secret that other commands require. */
  readonly withKeyManagement: (action: (selected: Selected) => Effect.Effect<void, unknown>) => Effect.Effect<void, unknown, S>
}

/** `secret` prints a new secret. Its subcommands change under which secret values are stored, and how secrets are wrapped. */
export const secretCommand = <R, S>({ withConfiguration, withKeyManagement }: Readers<R, S>, rotate: Rotate<R>) =>
  Command.make("secret", {}, () => Console.log(newSecret())).pipe(
    Command.withDescription("Print a new secret; `secret rotate` encrypts stored values under the first listed secret"),
    Command.withSubcommands([
      Command.make("wrap", {}, () => withKeyManagement(printNewWrapped)).pipe(
        Command.withDescription("Print a new secret, wrapped by key_management; it is not shown in another form"),
      ),
      Command.make("rewrap", {}, () => withConfiguration(printRewrapped)).pipe(
        Command.withDescription(
          "Print the listed secrets, wrapped under the newest version of the key, also those that are not wrapped yet",
        ),
      ),
      Command.make("unwrap", {}, () => withConfiguration(printUnwrapped)).pipe(
        Command.withDescription("Print the listed secrets unwrapped, to change to another key or to do without key_management"),
      ),
      Command.make("rotate", { removeUnreadable }, ({ removeUnreadable }) =>
        withConfiguration((configuration) =>
          Effect.andThen(
            demandStore(configuration),
            rotate(configuration, removeUnreadable, (rotated) => Console.log(linesOf(rotated, removeUnreadable).join("\n"))),
          ),
        ),
      ).pipe(
        Command.withDescription(
          "Encrypt all stored values under the first secret, so that older ones can be removed; stop a server with an embedded store first",
        ),
      ),
    ]),
  )

const removeUnreadable = toggle(
  "remove-unreadable",
  "Remove rows that no listed secret can decrypt, such as authenticator apps; their users lose them",
)

/** One line for each column. */
export const linesOf = (rotated: ReadonlyArray<Rotated>, removed: boolean): ReadonlyArray<string> =>
  rotated.map(({ column, resealed, unreadable, keyed }) => {
    const rest = unreadable === 0 ? "" : `, ${unreadable} ${removed ? "removed " : ""}that none of the secrets can decrypt`
    const note = keyed === undefined ? "" : `; ${keyed.count} ${keyed.count === 1 ? "row has" : "rows have"} ${keyed.description}`
    return `${column}: ${resealed} resealed${rest}${note}`
  })
