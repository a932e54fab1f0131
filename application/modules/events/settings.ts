import { Redacted, Schema } from "effect"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import { about, flag, orElse } from "../../../domain/settings.ts"

const expected = "a type of event such as session.revoked, session.*, or *"

/** Whether some of these types of events match a pattern. */
const isKnown = (events: EventKinds) => (pattern: string) => pattern === "*" || Object.keys(events).some((type) => matches([pattern], type))

/** Types of events, all types of a noun (`session.*`), or all types (`*`). */
export const patternsOf = (events: EventKinds) =>
  Schema.NonEmptyArray(Schema.String.check(Schema.makeFilter(isKnown(events), { expected })))

/** The same before the modules of the service are known: `faults` checks that the types exist. */
const Patterns = Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^(\*|[^.]+\.(\*|[^.]+))$/, { expected })))

/** The patterns of the configuration that no type of event matches. */
export const unknownPatterns = ({ webhooks }: Settings, events: EventKinds) =>
  webhooks.flatMap(({ types }, at) =>
    types.flatMap((pattern, index) => (isKnown(events)(pattern) ? [] : [{ path: ["webhooks", at, "types", index], wanted: expected }])),
  )

export const matches = (patterns: ReadonlyArray<string>, type: string): boolean =>
  patterns.some((pattern) => pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))))

/** 24 to 64 bytes in base64 after `whsec_` (Standard Webhooks). */
const isSecret = (text: string) => /^whsec_(?=[A-Za-z0-9+/]+={0,2}$).{32,88}$/.test(text)

export const maxUrl = 2048
const isUrl = (text: string) => text.length <= maxUrl && /^https?:$/.test(URL.parse(text)?.protocol ?? "") && !/^[^/]*\/\/[^/]*@/.test(text)

/** The URL of a receiver. Requests over http are only made with `allow_private_addresses`. */
export const WebhookUrl = Schema.String.check(Schema.makeFilter(isUrl, { expected: "an https URL without user and password" }))

const Endpoint = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[a-z0-9_-]{1,40}$/, { expected: "1 to 40 of a-z, 0-9, _ and -" })).pipe(
    about("Names the webhook in commands and records."),
  ),
  url: WebhookUrl.pipe(about("The URL of the receiver.")),
  types: Patterns.pipe(orElse(["*"] as const, "Types of events such as `session.revoked`, `session.*` or `*`.")),
  secrets: Schema.NonEmptyArray(
    Schema.RedactedFromValue(Schema.String.check(Schema.makeFilter(isSecret, { expected: "whsec_ and 24 to 64 bytes in base64" }))),
  ).pipe(about("`whsec_` and 24 to 64 bytes in base64, the newest first; each delivery is signed with all of them.")),
})

export const Settings = Schema.Struct({
  webhooks: Schema.Array(Endpoint).pipe(orElse([], "Webhooks of the configuration, in addition to those that administrators add.")),
  allow_private_addresses: flag("Whether webhooks may reach private addresses, and use `http:`."),
  operations: Schema.optionalKey(Schema.Boolean).pipe(
    about(
      "Whether administrators can list deliveries, send recorded events once more, and test and enable webhooks. Needs `modules.audit`. Default: false.",
    ),
  ),
  max_webhooks: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })).pipe(
    orElse(50, "Limit on the webhooks that administrators add."),
  ),
})
export type Settings = typeof Settings.Type

/** A webhook from the configuration or the store. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly types: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
}

/** Replaces the webhooks of the configuration in a running service: every use reads them from these settings. */
export const replaceWebhooks = (settings: Settings, { webhooks }: Settings): void => {
  Object.assign(settings, { webhooks })
}

export const configured = ({ webhooks }: Settings): ReadonlyArray<Webhook> =>
  webhooks.map(({ secrets, ...rest }) => ({ ...rest, secrets: secrets.map(Redacted.value) }))
