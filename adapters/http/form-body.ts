import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidRequest } from "../../domain/errors.ts"
import { textBody } from "./json-body.ts"

export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "")

/** The maximum number of fields in a form, repetitions included. No supported protocol needs half as many. */
const maxFields = 100
/** The maximum length of a field of a form, in UTF-16 code units: that of the longest input of an endpoint, an ID token. */
const maxFieldLength = 65_536

/** Reads the fields of a form; a repeated field becomes the list of its values. */
export const formBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(text(request), parse)
}

/** Counts the fields before it parses them, since the time of URLSearchParams grows with the square of their number. */
const parse = (text: string) =>
  text.split("&", maxFields + 1).length > maxFields
    ? Effect.fail(new InvalidRequest({ message: `A form must not have more than ${maxFields} fields.` }))
    : fieldsOf(text, maxFieldLength)

export type Fields = Readonly<Record<string, string | Array<string>>>

/** Decodes the fields of a form or a query, of which none may be longer than `maxLength`, in UTF-16 code units. */
export const fieldsOf = (text: string, maxLength: number): Effect.Effect<Fields, InstanceType<typeof InvalidRequest>> => {
  const fields = new Map<string, Array<string>>()
  // URLSearchParams removes a "?" at the beginning, which is part of a name here.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    if (Math.max(name.length, value.length) > maxLength)
      return Effect.fail(new InvalidRequest({ message: `A field has more than ${maxLength} characters.` }))
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return Effect.succeed(Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values])))
}
