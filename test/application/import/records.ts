import { DateTime, Effect, Option } from "effect"
import { read } from "../../../adapters/phone-numbers/numbering.ts"
import type { Target } from "../../../application/import/admission.ts"
import type { Outcome } from "../../../application/import/decision.ts"
import type { AdditionRecord, Entry, Identity, Passkey, UserRecord } from "../../../application/import/record.ts"
import { advance, begin } from "../../../application/import/run.ts"
import { makeSeen } from "../../../application/import/seen.ts"
import { tables } from "../../../application/import/tables.ts"
import * as Module from "../../../application/service/module.ts"
import { modules } from "../../everything.ts"
import { times } from "../../world.ts"

const storage = Module.define({ name: "import", settings: Module.NoSettings, parts: () => ({ tables }) }).build({})

/** Every module, and the tables of imports. */
export const enabled = [...modules, storage]

export const target: Target = {
  attributes: [],
  modules: new Set(modules.map(({ name }) => name)),
  providers: new Map([["idp", "idp_one"]]),
  formatOf: (hash) => (/^(hash|old)\$/.test(hash) ? Option.some("test") : Option.none()),
  isAllowed: () => true,
  e164Of: (number) => Option.map(read(number), ({ e164 }) => e164),
}

type AnyRecord = UserRecord | AdditionRecord

export const entry = (record: AnyRecord, line = 1): Entry => ({
  line,
  raw: "",
  record,
  issues: [],
  ignored: [],
  dropped: { factors: 0, identities: 0 },
})

export const user = (source_id: string, email: string | null, more: Partial<UserRecord> = {}): UserRecord => ({
  kind: "user",
  source_id,
  email,
  email_verified: true,
  ...more,
})

export const addition = (source_id: string, more: Partial<AdditionRecord>): AdditionRecord => ({ kind: "addition", source_id, ...more })

export const identity = (account_id: string): Identity => ({ provider_id: "idp", account_id })
export const identities = (count: number, first = 0) => times(count, (index) => identity(String(first + index)))

export const passkey = (credential_id: string): Passkey => ({
  credential_id,
  public_key: "AAAA",
  counter: 0,
  backup_eligible: false,
  backed_up: false,
  transports: ["usb"],
  name: null,
  created_at: DateTime.makeUnsafe(0),
  last_used_at: null,
})

const finding = ({ entry: { line }, status, issues }: Outcome) =>
  [`${line} ${status}`, ...issues.map(({ field, code, other_line }) => [field, code, ...(other_line ? [other_line] : [])].join(" "))].join(
    ", ",
  )

/** Imports batches of records, or only decides on them; returns a line for each record. */
export const imported = Effect.fnUntraced(function* (batches: ReadonlyArray<ReadonlyArray<AnyRecord>>, dry = false, into = target) {
  const findings: Array<string> = []
  const sink = {
    refuse: () => Effect.succeed(0),
    report: (outcomes: ReadonlyArray<Outcome>) => Effect.sync(() => void findings.push(...outcomes.map(finding))),
  }
  const seen = dry ? makeSeen() : undefined
  let run = yield* begin({ source: "test", fingerprint: "test" }, dry)
  for (const records of batches) {
    const entries = records.map((record, index) => entry(record, run.position + index + 1))
    run = yield* advance({ run, target: into, seen }, entries, sink)
  }
  return { id: run.id, findings, totals: run.totals }
})
