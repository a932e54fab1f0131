import { type DateTime, Effect, Schema } from "effect"
import type { SignInName } from "../users/sign-in-name.ts"
import * as Codes from "./codes.ts"

// A code beside the link of a mail, so that a person can continue in the browser that asked for the mail. It counts only together with the
// secret of that browser's flow: a person who reads the mailbox of another one cannot use it, and neither can a caller who guesses.

/** The secret of a flow: random characters that the client keeps until the code is entered. */
const FlowSecret = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43,128}$/u, { expected: "43 to 128 letters, digits, - and _" }))

/** The input of an endpoint that mails a link, and with a secret also a code. */
export const optionalFlow = {
  flow: Schema.optionalKey(FlowSecret).pipe(
    Schema.annotateKey({
      description:
        "A random secret of the client, 43 to 128 letters, digits, `-` and `_`. With it, the mail also has a code that counts only with this secret.",
    }),
  ),
}

/** The input of an endpoint that takes the code. */
export const codeOfFlow = { flow: FlowSecret, code: Schema.String }

/** Digits of a code, and the number of wrong guesses that invalidates it. */
const shape = { length: 6, max_attempts: 3 }

interface Flow {
  readonly flow: string
  /** The user whom the mail is about, where the code is only about this user. */
  readonly user_id?: string
}

const bound = (code: string, { flow, user_id = "" }: Flow) => `${code} ${flow} ${user_id}`

/** A new code for the mail to an address, and the write that makes it valid until `expires_at` and replaces an earlier one. */
export const flowCode = Effect.fnUntraced(function* newFlowCode(
  codes: Codes.CodeTable,
  email: string,
  flow: Flow,
  expires_at: DateTime.Utc,
) {
  const code = yield* Codes.randomCode(shape.length)
  return { code, write: yield* Codes.codeWrite(codes, email, bound(code, flow), expires_at) }
})

/** `Codes.redeem` for the code of a flow. */
export const redeemFlowCode = <R0>(codes: Codes.CodeTable, email: string, typed: string, flow: Flow, counted: SignInName<R0>) =>
  Codes.redeem(codes, shape, email, bound(typed, flow), counted)
