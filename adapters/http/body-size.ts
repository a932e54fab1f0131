/** What a body may hold to count as one request. A body of 1 MB takes the server ten times as long as an ordinary request. */
const blockBytes = 65_536

type Headers = Readonly<Record<string, string | undefined>>

/** How many requests a request counts as, by the length of its body. A body that is too long is not read. */
export const requestsOf = (headers: Headers, maxBodyBytes: number): number => {
  const length = Number(headers["content-length"] ?? 0)
  return length > maxBodyBytes ? 1 : 1 + Math.floor(length / blockBytes)
}

/** The most bytes of a body. One whose length was not announced was counted as one request. */
export const mostBytes = (headers: Headers, maxBodyBytes: number): number =>
  headers["content-length"] === undefined ? Math.min(maxBodyBytes, blockBytes) : maxBodyBytes
