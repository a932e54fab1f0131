import { type DateTime, Effect, type Option, Schema } from "effect"
import type { AuthError } from "../errors.ts"
import type { Conflict, Taken, Write } from "../ports/store.ts"
import { tokenHash } from "../tokens/keys.ts"
import { byEmail } from "../users/sign-in-name.ts"
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

/** The codes of one kind. A row is named by the hash of its flow and address, so callers without the secret cannot spend its guesses. */
export const flowCodes = (name: string) => Codes.table(name, { secret: ["recipient", "hash"], other: ["attempts", "expires_at"] })

interface Flow {
  readonly flow: string
  readonly email: string
  /** The user whom the mail is about, where the code is only about this user. */
  readonly user_id?: string
}

const nameOf = ({ name }: Codes.CodeTable, { flow, email }: Flow) => tokenHash(name, `${flow} ${email}`)
const bound = (code: string, { user_id = "" }: Flow) => `${code} ${user_id}`

/** A new code, and the write that makes it valid until `expires_at` and replaces an earlier one of the same flow and address. */
export const flowCode = Effect.fnUntraced(function* newFlowCode(codes: Codes.CodeTable, flow: Flow, expires_at: DateTime.Utc) {
  const code = yield* Codes.randomCode(shape.length)
  return { code, write: yield* Codes.codeWrite(codes, yield* nameOf(codes, flow), bound(code, flow), expires_at) }
})

/** `Codes.redeem` for the code of a flow. Wrong guesses also count against the budget of the address. */
export const redeemFlowCode =
  (codes: Codes.CodeTable, flow: Flow, typed: string) =>
  <A, E extends AuthError, R>(use: (proof: Write) => Effect.Effect<Option.Option<A>, E | Conflict | Taken, R>) =>
    Effect.flatMap(nameOf(codes, flow), (name) => Codes.redeem(codes, shape, name, bound(typed, flow), byEmail(flow.email))(use))
