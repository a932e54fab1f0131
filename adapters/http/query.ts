import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidRequest } from "../../domain/errors.ts"
import { targetOf } from "./exact-path.ts"
import { fieldsOf } from "./form-body.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The maximum length of a query, in UTF-16 code units: `node:http` accepts no more, other servers may. */
const maxQueryLength = 16_384
/** The maximum length of a parameter of a query, in UTF-16 code units. */
const maxParameterLength = 8192

/** Runs the router without the query, which it would parse before the request is counted. */
export const hidingQuery = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) => {
    const [path = ""] = request.url.split("?", 1)
    return path === request.url ? request : request.modify({ url: path })
  })

/** The request with its query. */
export const withQuery = (request: Request): Request => {
  const target = targetOf(request)
  return target.includes("?") ? request.modify({ url: target }) : request
}

/** Reads the parameters of a query; a repeated parameter becomes the list of its values. */
export const queryOf = ({ url }: Request) => {
  const begin = url.indexOf("?")
  if (begin < 0) return Effect.succeed({})
  if (url.length - begin > maxQueryLength)
    return Effect.fail(new InvalidRequest({ message: `The query has more than ${maxQueryLength} characters.` }))
  return fieldsOf(url.slice(begin + 1), maxParameterLength)
}
