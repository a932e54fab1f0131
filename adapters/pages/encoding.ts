import { promisify } from "node:util"
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Asset } from "./assets.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The content codings of responses, the best first. A file is compressed once, a page at each visit. */
const codings = {
  br: {
    file: promisify(brotliCompress),
    page: (body: Uint8Array) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  gzip: { file: promisify(gzip), page: (body: Uint8Array) => gzipSync(body) },
} as const

type Coding = keyof typeof codings

/** The best coding that the browser accepts (RFC 9110 section 12.5.3); undefined without one. */
export const codingOf = (accepted: string | undefined): Coding | undefined => {
  const named = (accepted ?? "").split(",").filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
  const taken = new Set(named.map((each) => each.split(";")[0]?.trim().toLowerCase()))
  return (Object.keys(codings) as ReadonlyArray<Coding>).find((coding) => taken.has(coding))
}

/** Below this number of bytes, compression saves no packet. */
const least = 1000

/** The responses with a file: its bytes, compressed at the first request for this coding. */
export const makeFileResponse = ({ body, type }: Asset) => {
  const plain = typeof body === "string" ? new TextEncoder().encode(body) : body
  const isCompressible = typeof body === "string" && plain.length >= least
  const headers = { "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" }
  const respond = (bytes: Uint8Array, more: Readonly<Record<string, string>>) =>
    HttpServerResponse.uint8Array(bytes, { contentType: type, headers: { ...headers, ...more } })
  const compressed = new Map<Coding, Promise<Uint8Array>>()
  return Effect.fnUntraced(function* (request: Request) {
    if (!isCompressible) return respond(plain, {})
    const vary = { vary: "Accept-Encoding" }
    const coding = codingOf(request.headers["accept-encoding"])
    if (coding === undefined) return respond(plain, vary)
    const made = compressed.get(coding) ?? codings[coding].file(plain)
    compressed.set(coding, made)
    return respond(yield* Effect.promise(() => made), { ...vary, "content-encoding": coding })
  })
}

/**
 * The response with a page, compressed for requests that no other site has caused: the length of a compressed page that another site asks for
 * again and again, each time with a guess in the query, would tell what the page contains (BREACH).
 */
export const compressedPage = (request: Request, response: Response): Response => {
  const { body, headers, status, cookies } = response
  if (body._tag !== "Uint8Array" || body.body.length < least || !isOwn(request.headers["sec-fetch-site"])) return response
  const coding = codingOf(request.headers["accept-encoding"])
  if (coding === undefined) return response
  const { "content-length": _, ...kept } = headers
  return HttpServerResponse.uint8Array(codings[coding].page(body.body), {
    status,
    cookies,
    contentType: body.contentType,
    headers: { ...kept, "content-encoding": coding, vary: `${headers["vary"]}, Accept-Encoding, Sec-Fetch-Site` },
  })
}

/** Whether a page of this origin or the visitor asks for it (Fetch Metadata Request Headers). */
const isOwn = (site: string | undefined) => site === "same-origin" || site === "none"
