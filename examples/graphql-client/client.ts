import type { TadaDocumentNode } from "gql.tada"
import { print } from "graphql"

/** An error of the service. */
interface Refusal {
  readonly message: string
  readonly extensions: { readonly code: string; readonly status: number }
}

export class Refused extends Error {
  readonly code: string

  constructor({ message, extensions }: Refusal) {
    super(message)
    this.code = extensions.code
  }
}

/** A client outside a browser: it stores the session cookie itself. */
export const makeClient = (url: string) => {
  const cookies = new Map<string, string>()

  return async <Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables): Promise<Data> => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        accept: "application/graphql-response+json",
        "content-type": "application/json",
        cookie: [...cookies].map((cookie) => cookie.join("=")).join("; "),
      },
      body: JSON.stringify({ query: print(document), variables }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const { data, errors = [] } = (await response.json()) as { readonly data: Data; readonly errors?: ReadonlyArray<Refusal> }
    const [first] = errors
    if (first !== undefined) throw new Refused(first)
    return data
  }
}
