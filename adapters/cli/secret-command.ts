import { Console, Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import type { Rotated } from "../../domain/secrets/sealing.ts"
import { newSecret } from "../config/kept-secret.ts"
import type { Configuration } from "../config/load.ts"
import { toggle } from "../flags.ts"
import { layer, type Selected } from "../key-management/layer.ts"
import { wrapSecret } from "../key-management/secrets.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import type { WithConfiguration } from "./store-command.ts"
import { demandStore } from "./users.ts"

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

/** Prints a new secret in its wrapped form only. */
const printNewWrapped = (selected: Selected) =>
  wrapSecret(Redacted.make(newSecret()), selected).pipe(Effect.flatMap(Console.log), Effect.provide(layer(selected)))

/** Prints the configured secrets, each wrapped under the newest version of the key, in their order. */
const printRewrapped = Effect.fnUntraced(function* printRewrapped(configuration: Configuration) {
  const lines = yield* Effect.forEach(yield* configuration.secrets, (secret) => wrapSecret(secret, configuration)).pipe(
    Effect.provide(layer(configuration)),
  )
  yield* Console.log(lines.join("\n"))
})

/** Prints the configured secrets without the protection of the key management, in their order. */
const printUnwrapped = Effect.fnUntraced(function* printUnwrapped({ secrets }: Configuration) {
  if (process.stdout.isTTY) return yield* stop("The secrets are not shown on a terminal: redirect the output.", codes.usage)
  yield* Console.log((yield* secrets).map(Redacted.value).join("\n"))
})
