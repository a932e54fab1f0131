import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { Console, Effect, Option, Stream } from "effect"
import { exported } from "../../application/import/export.ts"
import { RunRefused } from "../../application/import/run.ts"
import { ImportRecords, type ImportRun, ImportRuns, sourceIdOf } from "../../application/import/tables.ts"
import { undo } from "../../application/import/undo.ts"
import { Store } from "../../domain/ports/store.ts"
import type { Configuration } from "../config/load.ts"
import { type Destination, importUsers, type Listener, type Request } from "../import/import-users.ts"
import { makeProgress } from "../import/progress.ts"
import { FileFault } from "../import/raw-record.ts"
import { findingsOf, summaryText, textOf } from "../import/report.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"

// The commands that import users from files, and export users to files.

export type TransferWork =
  | ReturnType<typeof runImport>
  | ReturnType<typeof runUndo>
  | ReturnType<typeof runExport>
  | ReturnType<typeof listIds>
  | typeof listRuns

const sentences: Readonly<Record<RunRefused["reason"], string>> = {
  unknown: "No run has this id; `import runs` lists them.",
  undone: "This run was undone: begin a new one.",
  another_file: "This run belongs to another file, or the file has changed.",
  another_source: "This run belongs to another source; see --from.",
  running: "Another process works on this run.",
}

const stopOf = (fault: unknown) => {
  if (fault instanceof FileFault) return stop(fault.reason)
  return fault instanceof RunRefused ? stop(sentences[fault.reason]) : fault
}

const destinationOf = ({ passwords, modules }: Configuration): Destination => ({
  modules: new Set(modules.map(({ name }) => name)),
  socialProviders: modules.flatMap(({ name, accountKinds }) =>
    name === "social" ? accountKinds.map(({ provider_id }) => provider_id) : [],
  ),
  attributes: modules.flatMap(({ attributes }) => attributes),
  imported: passwords.imported,
})

/** Prints one line for each finding, then the totals: as text, or as one JSON object a line. */
const listenerOf = (json: boolean): Listener & { readonly clear: () => void } => {
  let progress: ReturnType<typeof makeProgress> | undefined
  const clear = () => progress?.clear()
  return {
    clear,
    begun: (run, source) =>
      json
        ? Console.log(JSON.stringify({ type: "begun", run, source }))
        : Console.error(`Run ${run} from ${source}; if it is interrupted, continue with --resume ${run}`),
    outcomes: (outcomes) => {
      const findings = outcomes.flatMap(findingsOf)
      if (findings.length === 0) return Effect.void
      return Effect.suspend(() => {
        clear()
        return Console.log(findings.map((finding) => (json ? JSON.stringify(finding) : textOf(finding))).join("\n"))
      })
    },
    progress: (bytes, size, records) => {
      progress ??= makeProgress(process.stderr, size)
      progress.show(bytes, records)
    },
  }
}

/** Exits with 2 if a record was refused. */
export const runImport = Effect.fnUntraced(
  function* runImport(request: Request, json: boolean, configuration: Configuration) {
    const listener = listenerOf(json)
    const summary = yield* importUsers(request, destinationOf(configuration), listener)
    listener.clear()
    yield* Console.log(json ? JSON.stringify({ type: "totals", ...summary }) : summaryText(summary))
    if (summary.totals.refused > 0) return yield* stop(`${summary.totals.refused} records were refused.`, codes.refused)
  },
  (effect) => Effect.mapError(effect, stopOf),
)

export const runUndo = Effect.fnUntraced(
  function* runUndo(run: string, json: boolean) {
    const undone = yield* undo(run)
    const { removed, reverted, kept } = undone
    const text = `${removed} users removed, ${reverted} additions reverted, ${kept} kept because their users have used or changed the account.`
    yield* Console.log(json ? JSON.stringify(undone) : text)
  },
  (effect) => Effect.mapError(effect, stopOf),
)

const stateOf = ({ finished_at, undone_at }: ImportRun) => {
  if (undone_at !== null) return "undone"
  return finished_at === null ? "unfinished" : "finished"
}

const max_runs = 1000

/** Prints the newest runs, the newest first: their ids grow with time. */
export const listRuns = Effect.gen(function* () {
  const runs = yield* (yield* Store).list(ImportRuns, {}, { limit: max_runs, descending: true })
  const lines = runs.map((run) => `${run.id}  ${run.source}  ${stateOf(run)}  ${run.totals.created} created, ${run.totals.refused} refused`)
  yield* Console.log(lines.length === 0 ? "No run." : lines.join("\n"))
})

const page = 500

/** Prints the id of each record and of its user as CSV, for applications that store the ids of the other system. */
export const listIds = Effect.fnUntraced(function* listIds(run_id: string) {
  const store = yield* Store
  yield* Console.log("source_id,user_id")
  let after: { readonly key: string } | undefined
  do {
    const records = yield* store.list(ImportRecords, { run_id }, { limit: page, order: "key", ...(after === undefined ? {} : { after }) })
    const lines = records.flatMap(({ kind, key, user_id }) => (kind === "user" ? `${quoted(sourceIdOf(key))},${user_id}` : []))
    if (lines.length > 0) yield* Console.log(lines.join("\n"))
    after = records.length < page ? undefined : records.at(-1)
  } while (after !== undefined)
})

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The file to export to, and whether the export contains password hashes and the secrets of authenticator apps. */
export interface ExportRequest {
  readonly output: Option.Option<string>
  readonly secrets: boolean
}

/** Creates a file that only its owner can read. Fails if the file exists. */
const created = (path: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600),
      catch: (error) => stop(`${path} cannot be created (${String((Object(error) as { readonly code?: unknown }).code)})`),
    }),
    (file) => Effect.promise(() => file.close()),
  )

export const runExport = Effect.fnUntraced(function* runExport({ output, secrets }: ExportRequest, configuration: Configuration) {
  if (secrets && Option.isNone(output) && process.stdout.isTTY)
    return yield* stop("The export has secrets: name a file with --output, redirect it, or leave them out with --without-secrets.")
  const { modules } = destinationOf(configuration)
  const lines = exported({ modules, secrets }).pipe(Stream.grouped(page))
  if (Option.isNone(output)) return yield* Stream.runForEach(lines, (batch) => Console.log(batch.join("\n")))
  const file = yield* created(output.value)
  yield* Stream.runForEach(lines, (batch) => Effect.promise(() => file.appendFile(`${batch.join("\n")}\n`)))
}, Effect.scoped)
