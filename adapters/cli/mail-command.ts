import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { WithConfiguration } from "./store-command.ts"

/** `mail preview` writes every mail in every language to a folder. */
export const mailCommand = <S>(withConfiguration: WithConfiguration<never, S>) =>
  Command.make("mail").pipe(
    Command.withDescription("Mails: `mail preview` writes them to a folder"),
    Command.withSubcommands([
      Command.make("preview", { out }, ({ out }) =>
        withConfiguration(
          Effect.fnUntraced(function* previewMails(configuration) {
            const { writePreview } = yield* Effect.promise(() => import("./mail-preview.ts"))
            yield* writePreview(configuration, out)
          }),
        ),
      ).pipe(
        Command.withDescription("Write every mail in every language as HTML and text, with the configured `branding`, `texts` and `links`"),
      ),
    ]),
  )

const out = Flag.String("out").pipe(
  Flag.withMetavar("FOLDER"),
  Flag.withDescription("The folder to write to; default: .sallyport/mails"),
  Flag.withDefault(".sallyport/mails"),
)
