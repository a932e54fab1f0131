/** The bytes of a body that count as one request. A body of 1 MB takes the server ten times as long as an ordinary request. */
const blockBytes = 65_536

type Headers = Readonly<Record<string, string | undefined>>

/** The length in `Content-Length`; an invalid one counts as absent. `node:http` refuses these, other servers may not. */
export const lengthOf = (headers: Headers): number | undefined => {
  const { "content-length": length = "" } = headers
  return /^\d+$/.test(length) ? Number(length) : undefined
}

/** How many requests a request counts as, by the length of its body. A body that is too long is not read. */
export const requestsOf = (headers: Headers, maxBodyBytes: number): number => {
  const length = lengthOf(headers) ?? 0
  return length > maxBodyBytes ? 1 : 1 + Math.floor(length / blockBytes)
}

/** The maximum number of bytes of a body. A body without `Content-Length` was counted as one request, so it is limited to one block. */
export const maxBytesOf = (headers: Headers, maxBodyBytes: number): number =>
  lengthOf(headers) === undefined ? Math.min(maxBodyBytes, blockBytes) : maxBodyBytes
