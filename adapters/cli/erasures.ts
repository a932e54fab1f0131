import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { Console, Effect, Option, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import { erase, hasErasures } from "../../application/modules/admin/erasure/erase.ts"
import { ErasureReceipt, ErasureReceipts } from "../../application/modules/admin/erasure/tables.ts"
import { operator } from "../../domain/administration/principal.ts"
import { isCommitted, put, rowsOf } from "../../domain/ports/store.ts"
import { argument, json } from "../flags.ts"
import { codes } from "../process/start-faults.ts"
import { Stop, stop } from "../process/stop.ts"
import { printRecord } from "./printed.ts"
import type { StoreCommand } from "./store-command.ts"

// Receipts of erased users, as a file beside the backups: a restored backup has those users again.

export type ErasureWork = ReturnType<typeof listErasures | typeof applyErasures>

const Line = Schema.fromJsonString(Schema.toCodecJson(ErasureReceipt))
const write = Schema.encodeSync(Line)
const read = Schema.decodeUnknownOption(Line)

const demandErasures = Effect.flatMap(hasErasures, (isOn) =>
  isOn ? Effect.void : stop("modules.admin.erasures: found false, wanted true: there are no receipts", codes.configuration),
)

/** Prints all receipts, one JSON object a line. */
export const listErasures = Effect.fnUntraced(function* listErasures() {
  yield* demandErasures
  yield* Stream.runForEach(rowsOf(ErasureReceipts, {}, { limit: 100 }), (receipt) => Console.log(write(receipt)))
})

/** Erases the user of a receipt again, if a restore revived them. */
const applied = Effect.fnUntraced(function* applyReceipt(receipt: ErasureReceipt) {
  const erasing = { by: receipt.erased_by, may: operator, isTold: false }
  const kept = Effect.as(isCommitted([put(ErasureReceipts, receipt, "absent")]), "absent" as const)
  return yield* erase(receipt.user_id, erasing).pipe(
    Effect.as("erased" as const),
    Effect.catch(({ _tag }) => (_tag === "user_not_found" ? kept : Effect.succeed("refused" as const))),
  )
})

/** Repeats the erasures of a file. It can run again after an interruption. */
export const applyErasures = Effect.fnUntraced(function* applyErasures({ file, json }: { readonly file: string; readonly json: boolean }) {
  yield* demandErasures
  const counts = { erased: 0, absent: 0, refused: 0 }
  const lines = Stream.fromAsyncIterable(
    createInterface({ input: createReadStream(file) }),
    (cause) => new Stop({ code: codes.failed, lines: [`${file} cannot be read: ${String(cause)}`] }),
  )
  const apply = Effect.fnUntraced(function* applyLine(line: string, index: number) {
    if (line.trim() === "") return
    const receipt = read(line)
    if (Option.isNone(receipt)) return yield* stop(`${file}:${index + 1} is no receipt of erasures list`)
    counts[yield* applied(receipt.value)]++
  })
  yield* Stream.runForEach(Stream.zipWithIndex(lines), ([line, index]) => apply(line, index))
  yield* printRecord(counts, json)
  if (counts.refused > 0) return yield* stop("Users were refused: an organization or the service would lose its last owner.")
})

export const erasuresCommand = <S>(onStore: StoreCommand<ErasureWork, S>) =>
  Command.make("erasures").pipe(
    Command.withDescription("Print receipts of erased users, and repeat them after a restore; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "Print the receipts as JSON, one object a line; keep them beside the backups", {}, listErasures),
      onStore(
        "apply",
        "Erase the users of such a file whom a restored backup has revived",
        { file: argument("file", "The file"), json },
        applyErasures,
      ),
    ]),
  )
