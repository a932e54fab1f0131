import { Effect, Schema } from "effect"
import { type AuthError, InvalidToken } from "../../domain/errors.ts"
import * as Endpoint from "./endpoint.ts"

const Token = Schema.Struct({ token: Schema.String })
const Address = Schema.Struct({ email: Schema.String })

/** An endpoint for the page of a mailed link: names the address that the token is for, and leaves the token valid. */
export const shownLink = <const P extends `/${string}`, R>(
  path: P,
  summary: string,
  emailOf: (token: string) => Effect.Effect<string, AuthError<"invalid_token">, R>,
) =>
  Endpoint.make({
    method: "POST",
    path,
    summary,
    access: "public",
    input: Token,
    output: Address,
    errors: [InvalidToken],
    handler: ({ token }) => Effect.map(emailOf(token), (email) => Endpoint.reply({ email })),
  })
