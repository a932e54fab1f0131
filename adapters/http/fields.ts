import { Headers, type HttpServerRequest } from "effect/http"
import { define } from "../../domain/errors.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A header field is longer than the service reads (RFC 6585 section 5). */
export const FieldTooLong = define("invalid_request", 431, "A header field of the request is too long.")

/** The maximum length of a header field without a limit of its own, in UTF-16 code units; common proxies have the same. */
const maxLength = 8192
/** The maximum length of a field that many cookies, or a certificate and its chain, can share, in UTF-16 code units. */
const maxSharedLength = 16_384

/** Lengths above which the rest of a field is ignored: a request can be answered without these fields (RFC 9110 sections 10.1.5 and 12.5). */
const cut: Readonly<Record<string, number>> = { accept: 1000, "accept-language": 500, "user-agent": 500 }

/** Maximum lengths of other fields. A longer one refuses the request: ignoring it could also skip the check that reads it. */
const longest: Readonly<Record<string, number>> = { "content-type": 1000, cookie: maxSharedLength, origin: 1000, "x-forwarded-for": 2000 }

/** A request with limited header fields. */
export interface Bounded {
  /** The request without the fields that are too long, and with the beginning of those that are cut. */
  readonly request: Request
  readonly isTooLong: boolean
}

/** Limits the header fields of requests, before anything reads them. `certificateField` is the field with the certificate of the TLS client. */
export const boundedFields = (certificateField?: string | null) => {
  const certificate = certificateField ? { [certificateField.toLowerCase()]: maxSharedLength } : {}
  const limits: Readonly<Record<string, number>> = { ...longest, ...certificate, ...cut }

  return (request: Request): Bounded => {
    const long: Array<[name: string, value: string]> = []
    for (const [name, value] of Object.entries(request.headers)) if (value.length > (limits[name] ?? maxLength)) long.push([name, value])
    if (long.length === 0) return { request, isTooLong: false }
    const headers = long.reduce(
      (kept, [name, value]) => (name in cut ? Headers.set(kept, name, value.slice(0, cut[name])) : Headers.remove(kept, name)),
      request.headers,
    )
    return { request: request.modify({ headers }), isTooLong: long.some(([name]) => !(name in cut)) }
  }
}
