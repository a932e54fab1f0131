import type { HttpClientError } from "effect/http"

/** The code of a failed connection, such as `ECONNREFUSED`, for logs; the error's message could contain secret URLs or the request. */
export const connectionFault = ({ reason }: HttpClientError.HttpClientError): string => {
  const code: unknown = Reflect.get(Object(reason.cause), "code")
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : reason._tag
}
