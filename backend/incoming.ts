/** A request to the backend: one of fetch, Express, Fastify, Hono or Next.js. */
export interface Incoming {
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** Reads header fields by their names in lower case. */
export const reader = (headers: Incoming["headers"]) => {
  if (headers instanceof Headers) return (name: string) => headers.get(name) ?? undefined
  return (name: string) => {
    const value = headers[name]
    return typeof value === "string" || value === undefined ? value : value.join(", ")
  }
}
