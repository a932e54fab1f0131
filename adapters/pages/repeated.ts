import { Schema } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"

const Stored = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Number,
    headers: Schema.Record(Schema.String, Schema.String),
    cookies: Schema.Array(Schema.String),
    body: Schema.String,
  }),
)
const [encode, decode] = [Schema.encodeSync(Stored), Schema.decodeSync(Stored)]

/** A response as text. Responses to forms are empty or text. */
export const textOf = ({ status, headers, cookies, body }: HttpServerResponse.HttpServerResponse): string =>
  encode({
    status,
    headers,
    cookies: Cookies.toSetCookieHeaders(cookies),
    body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "",
  })

/** The same response again. */
export const responseFrom = (text: string): HttpServerResponse.HttpServerResponse => {
  const { body, cookies, ...rest } = decode(text)
  const options = { ...rest, cookies: Cookies.fromSetCookie(cookies) }
  const contentType = rest.headers["content-type"]
  return contentType === undefined ? HttpServerResponse.empty(options) : HttpServerResponse.text(body, { ...options, contentType })
}
