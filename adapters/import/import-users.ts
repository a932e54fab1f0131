import { Effect, Option, Redacted, Stream } from "effect"
import { ownProviders, type Target } from "../../application/import/admission.ts"
import { type Outcome, ownSource } from "../../application/import/decision.ts"
import type { Entry } from "../../application/import/record.ts"
import { advance, begin, finish, resume } from "../../application/import/run.ts"
import { makeSeen } from "../../application/import/seen.ts"
import type { Attributes } from "../../domain/attributes/attributes.ts"
import { HashFormats } from "../../domain/ports/hash-formats.ts"
import { addressRules } from "../../domain/users/address-rules.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import type { Settings as PasswordSettings } from "../passwords/settings.ts"
import { openFile, type UserFile } from "./file.ts"
import { FileFault, type RawRecord } from "./raw-record.ts"
import { refusedFile, refusedPath } from "./refused-file.ts"
import type { Summary } from "./report.ts"
import { detect, sources } from "./sources/index.ts"
import { names, type SourceName } from "./sources/names.ts"
import { type Options, readBy, unreadable } from "./sources/source.ts"

/** What to import, and how. */
export interface Request {
  readonly path: string
  readonly from: Option.Option<SourceName>
  /** The provider's name in the file → its id in the configuration. */
  readonly providers: Readonly<Record<string, string>>
  readonly dry: boolean
  /** Whether users are added whose addresses `registration.email` refuses. */
  readonly force: boolean
  readonly resume: Option.Option<string>
  readonly refused: Option.Option<string>
}

/** The service that the users are imported into. */
export interface Destination {
  readonly modules: ReadonlySet<string>
  readonly socialProviders: ReadonlyArray<string>
  readonly attributes: Attributes
  readonly imported: PasswordSettings["imported"]
}

/** The callbacks of a run. */
export interface Listener {
  readonly begun: (run: string, source: string) => Effect.Effect<void>
  readonly outcomes: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  readonly progress: (bytes: number, size: number, records: number) => void
}

/** The maximum number of records in one commit. */
const batch = 500

/** Imports a file and returns the end of the report. */
export const importUsers = Effect.fnUntraced(function* importUsers(request: Request, destination: Destination, listener: Listener) {
  const file = yield* attempt(() => openFile(request.path))
  const source = yield* Option.match(request.from, { onNone: () => detected(file), onSome: Effect.succeed })
  const target = yield* targetOf(source, request, destination)
  const path = Option.getOrElse(request.refused, () => refusedPath(request.path))
  const refusals = refusedFile(path, file.frame)
  if (!request.dry && Option.isNone(request.resume) && refusals.exists())
    return yield* new FileFault({ reason: `${path} exists: move it, or name another file for refused records with --refused` })

  const of = { source, fingerprint: file.fingerprint }
  const run = yield* Option.match(request.resume, { onNone: () => begin(of, request.dry), onSome: (id) => resume(id, of) })
  yield* listener.begun(run.id, source)
  const seen = request.dry ? makeSeen() : undefined
  const sink = {
    refuse: (raw: ReadonlyArray<string>, position: number) => attempt(() => refusals.write(raw, position)),
    report: listener.outcomes,
  }
  let bytes = 0
  const records = file.records((read) => {
    bytes = read
  })
  const options = optionsOf(destination)
  const last = yield* Stream.fromAsyncIterable(records, faultOf).pipe(
    Stream.drop(run.position),
    Stream.map((raw) => entryOf(source, raw, options)),
    Stream.grouped(batch),
    Stream.buffer({ capacity: 2 }),
    Stream.runFoldEffect(
      () => run,
      (current, entries) =>
        Effect.tap(advance({ run: current, target, seen }, entries, sink), ({ totals }) =>
          Effect.sync(() => listener.progress(bytes, file.size, totals.read)),
        ),
    ),
  )
  if (!request.dry) yield* finish(last)
  const { totals } = last
  const refused_file = last.refused_bytes > 0 ? path : null
  const summary: Summary = { run: run.id, source, dry_run: request.dry, totals, refused_file }
  return summary
})

const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: faultOf })

/** Maps an error of the file system. Only its code is kept, because its message could repeat a part of the file. */
const faultOf = (error: unknown): FileFault => {
  if (error instanceof FileFault) return error
  const { code } = Object(error) as { readonly code?: unknown }
  return new FileFault({ reason: `the file cannot be read or written (${typeof code === "string" ? code : "fault"})` })
}

const detected = Effect.fnUntraced(function* detectSource(file: UserFile) {
  const records = file.records()
  const first = yield* attempt(() => records.next())
  yield* attempt(() => records.return(undefined))
  const value: unknown = first.done === true ? undefined : first.value.value
  const name = isJsonObject(value) ? detect(value) : undefined
  return (
    name ??
    (yield* new FileFault({ reason: `the system that the file comes from cannot be detected: name it with --from (${names.join(", ")})` }))
  )
})

const entryOf = (source: SourceName, { line, raw, value }: RawRecord, options: Options): Entry => ({
  line,
  raw,
  ...(value === undefined ? unreadable : readBy(sources[source], value, options)),
})

const optionsOf = ({ imported, attributes }: Destination): Options => ({
  attributes,
  ...(imported.firebase === undefined
    ? {}
    : { firebase: { ...imported.firebase, signer_key: Redacted.value(imported.firebase.signer_key) } }),
  peppered: imported.devise !== undefined,
})

/** What the import can write to. A provider's name in the file is its id in the configuration, unless the request maps it to another id. */
const targetOf = Effect.fnUntraced(function* targetOf(
  source: SourceName,
  { providers, force }: Request,
  { modules, socialProviders, attributes }: Destination,
) {
  const unknown = Object.values(providers).find((id) => !socialProviders.includes(id))
  if (unknown !== undefined)
    return yield* new FileFault({
      reason: `--provider: found "${unknown}", wanted the id of a provider of modules.social (${socialProviders.join(", ")})`,
    })
  const same = [...socialProviders, ...(source === ownSource ? ownProviders(modules) : [])]
  const { formatOf } = yield* HashFormats
  const { read } = yield* Effect.promise(() => import("../phone-numbers/numbering.ts"))
  const target: Target = {
    modules,
    attributes,
    providers: new Map([...same.map((id) => [id, id] as const), ...Object.entries(providers)]),
    formatOf,
    isAllowed: force ? () => true : yield* addressRules,
    e164Of: (number) => Option.map(read(number), ({ e164 }) => e164),
  }
  return target
})
