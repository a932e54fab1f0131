import { core, optional } from "../../application/modules/index.ts"
import { commonCodes } from "../../client/http.ts"
import * as Errors from "../../domain/errors.ts"
import { code, slugOf, table } from "./markdown.ts"
import { operations, titleOf } from "./openapi.ts"
import { madePage, type Page } from "./page.ts"

interface Source {
  readonly error: Errors.ErrorClass
  /** The file that declares it. */
  readonly source: string
}

const sources: ReadonlyArray<Source> = [
  ...Object.values(Errors)
    .filter((value) => typeof value === "function" && "code" in value)
    .map((error) => ({ error, source: "domain/errors.ts" })),
  ...[...core, ...optional].flatMap(({ name, errors }) =>
    errors.map((error) => ({ error, source: `application/modules/${name}/errors.ts` })),
  ),
].toSorted((one, other) => one.error.code.localeCompare(other.error.code))

/** Every error of the service, by its code. */
export const errors = sources.map(({ error }) => error)

const isCommon = (code: string) => commonCodes.some((common) => common === code)

const answering = (code: string) =>
  operations.flatMap((operation) => {
    const refusal = operation.refusals.find((each) => each.code === code)
    return refusal === undefined ? [] : [{ operation, status: refusal.status }]
  })

const endpointsOf = (code: string): string => {
  if (isCommon(code)) return "Every endpoint can answer with this code."
  const rows = answering(code).map(({ operation, status }) => [
    `[\`${titleOf(operation)}\`](/modules/${operation.module}/#${slugOf(titleOf(operation))})`,
    String(status),
  ])
  return rows.length === 0 ? "No endpoint of the standard modules declares this code." : table(["Endpoint", "Status"], rows)
}

const remedyOf = ({ error: { code, remedy }, source }: Source): string => {
  if (remedy === undefined) throw new Error(`${source} does not say what to do about ${code}`)
  return remedy
}

const errorPage = ({ error, source }: Source): Page =>
  madePage(`reference/errors/${error.code}`, error.code, source, [
    error.text,
    `**Status** ${error.status}`,
    "## What to do",
    remedyOf({ error, source }),
    "## Endpoints",
    endpointsOf(error.code),
    "## The response",
    code("json", JSON.stringify({ error: { code: error.code, message: error.text } }, null, 2)),
    `In GraphQL \`extensions.code\` is \`${error.code}\`, and in the client \`error.code\` is \`${error.code}\`.`,
  ])

const listOf = (listed: ReadonlyArray<Errors.ErrorClass>) =>
  table(
    ["Code", "Status", "Message"],
    listed.map(({ code, status, text }) => [`[\`${code}\`](/reference/errors/${code}/)`, String(status), text]),
  )

const index = madePage("reference/errors", "Errors", "domain/errors.ts", [
  "Errors have a fitting HTTP status and a body with a `code`, which programs compare, and a `message`, which people read. Codes do not change; messages can.",
  "## Errors of every endpoint",
  listOf(errors.filter(({ code }) => isCommon(code))),
  "## Errors that endpoints declare",
  listOf(errors.filter(({ code }) => !isCommon(code))),
  "## Errors of the client",
  "`sallyport/client` adds three codes of its own, with the status 0 or that of the response: `network_error` (the service was not reached), `aborted` (the caller's signal aborted the call) and `unexpected_response` (the response is not of this service, such as a proxy's error page).",
])

export const errorPages: ReadonlyArray<Page> = [index, ...sources.map(errorPage)]
