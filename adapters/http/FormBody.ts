import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { textBody } from "./JsonBody.ts"

export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "")

/** The fields of a form; one that is given several times is the list of its values. */
export const formBody = (maxBytes: number) => {
  const text = textBody(maxBytes)
  return (request: HttpServerRequest.HttpServerRequest) => Effect.map(text(request), fields)
}

const fields = (text: string): Record<string, string | ReadonlyArray<string>> => {
  const params = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? "") : values]
    }),
  )
}
