import { Effect, Schema } from "effect"
import { InvalidCredentials, InvalidRequest } from "../../../domain/errors.ts"
import { countedProof } from "../../../domain/limits/limits.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { sessionRenewal } from "../../../domain/sessions/session-renewal.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { checkPassword } from "../../../domain/sign-in/passwords.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

/** Records the proof in the session. Of two concurrent step-ups, the second must not invalidate the token that the first has returned. */
const renewing = (proof: Pick<StepUp.StepUp<never>, "multi_factor" | "methods">, policies: Policies["Service"]): StepUp.Renew =>
  Effect.fnUntraced(
    function* renewSession(alongside) {
      const { session, user } = yield* rereadSession
      const { writes, ...renewed } = yield* sessionRenewal(session, proof)
      yield* (yield* Store).commit([...alongside, ...writes])
      return { ...renewed, user: user.row }
    },
    Effect.provideService(Policies, policies),
  )

const endpoint = Endpoint.make({
  method: "POST",
  path: "/step-up",
  summary:
    "Proves again who the user of the session is, for sensitive changes. Takes exactly one proof; users with a second factor must send a proof that includes it.",
  access: "session",
  changesCredential: true,
  takesProofs: true,
  input: Endpoint.NoInput,
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* stepUp(input: Readonly<Record<string, unknown>>) {
    const { user } = yield* CurrentSession
    const policies = yield* Policies
    const { stepUps, factorsHeldBy } = policies
    const { second } = yield* factorsHeldBy(user.id)
    const given = Object.entries(stepUps).filter(([member]) => input[member] !== undefined)
    const [[member = "", stepUp] = []] = given
    // The password of a user with a second factor is not checked: the response would reveal to an attacker with a stolen session whether it
    // is right.
    if (given.length !== 1 || stepUp === undefined || (second && !stepUp.multi_factor)) {
      const accepted = Object.keys(stepUps).filter((name) => !second || stepUps[name]?.multi_factor)
      return yield* new InvalidRequest({ message: `Send exactly one of ${accepted.join(", ")}.` })
    }
    const proof = stepUp.prove(user, input[member], renewing(stepUp, policies))
    return Endpoint.reply(Endpoint.succeeded, yield* countedProof(proof))
  }),
})

const password = StepUp.make({
  input: Schema.String,
  errors: [InvalidCredentials],
  multi_factor: false,
  methods: ["pwd"],
  prove: Effect.fnUntraced(function* proveByPassword({ id }, typed, renew) {
    const { account } = yield* checkPassword(id, typed)
    return yield* renew([check(Accounts, account)])
  }, retryOnConflict),
})

/** The proof of identity that sensitive changes require, by password or by a proof of another module. */
export const stepUp = Module.define({
  name: "step_up",
  settings: Module.NoSettings,
  parts: () => ({ endpoints: [endpoint], stepUps: { password } }),
})
