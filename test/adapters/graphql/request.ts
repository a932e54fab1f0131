import { Effect } from "effect"
import type { Answer, Asked, Served } from "../http/served.ts"
import { ask, cookieOf, served } from "../http/served.ts"

/** A server with REST and GraphQL, or with GraphQL alone, on a free port. */
export const graphqlServed = (options: Served = {}) => served({ graphql: {}, ...options })

export interface GraphqlAnswer extends Answer {
  readonly data: any
  readonly errors: ReadonlyArray<{ readonly message: string; readonly path?: ReadonlyArray<string>; readonly extensions: any }>
}

const json = { "content-type": "application/json", accept: "application/graphql-response+json" }

/** Sends one request to GraphQL, as current clients do (GraphQL over HTTP). */
export const sent = (body: unknown, { headers = {}, ...asked }: Asked = {}) =>
  Effect.map(
    ask("POST", "/graphql", { body: typeof body === "string" ? body : JSON.stringify(body), headers: { ...json, ...headers }, ...asked }),
    (answer): GraphqlAnswer => {
      const { data, errors = [] } = answer.text.startsWith("{") ? JSON.parse(answer.text) : {}
      return { ...answer, data, errors }
    },
  )

export const query = (query: string, variables: Record<string, unknown> = {}, asked?: Asked) => sent({ query, variables }, asked)

/** The codes of an answer's errors. */
export const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code)

export const signUp = /* GraphQL */ `
  mutation SignUp($input: SignUpEmailInput!) { signUpEmail(input: $input) { user { id email } } }
`

/** Signs a user up over GraphQL; returns the headers of their requests. */
export const joined = Effect.fnUntraced(function* (email: string, password = "correct horse battery staple") {
  return { cookie: cookieOf(yield* query(signUp, { input: { email, password } })) }
})
