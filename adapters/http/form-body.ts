import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidRequest } from "../../domain/errors.ts"
import { textBody } from "./json-body.ts"

export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "")

/** The maximum number of fields in a form, repetitions included. No supported protocol needs half as many. */
const maxFields = 100

/** Reads the fields of a form; a repeated field becomes the list of its values. */
export const formBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(text(request), parse)
}

export type Fields = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Counts the fields before it parses them, since the time of URLSearchParams grows with the square of their number. */
const parse = (text: string): Effect.Effect<Fields, InstanceType<typeof InvalidRequest>> => {
  if (text.split("&", maxFields + 1).length > maxFields)
    return Effect.fail(new InvalidRequest({ message: `A form must not have more than ${maxFields} fields.` }))
  const fields = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return Effect.succeed(Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values])))
}
