import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidRequest } from "../../domain/errors.ts"
import { textBody } from "./json-body.ts"

export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "")

/** The most fields of a form, one that is given several times counted as often. No protocol of ours knows half as many. */
const most = 100

/** The fields of a form; one that is given several times is the list of its values. */
export const formBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) => Effect.flatMap(text(request), fields)
}

type Fields = Readonly<Record<string, string | ReadonlyArray<string>>>

/** They are counted before they are read, since the time that URLSearchParams takes grows with the square of their number. */
const fields = (text: string): Effect.Effect<Fields, InstanceType<typeof InvalidRequest>> => {
  if (text.split("&", most + 1).length > most) return Effect.fail(new InvalidRequest({ message: `A form has at most ${most} fields.` }))
  const given = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = given.get(name)
    if (values === undefined) given.set(name, [value])
    else values.push(value)
  }
  return Effect.succeed(Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? values[0]! : values])))
}
