import type { Effect } from "effect"
import { Context } from "effect"
import type { AuthError, CommonCode } from "../domain/Errors.ts"
import type { HeldFactors } from "../domain/Session.ts"
import type { Issued } from "./SignIn.ts"
import type { StepUp } from "./StepUp.ts"

/** A proof of a module. Its codes are the module's own, as those of a gate are. */
interface Proof extends Omit<StepUp<never>, "prove"> {
  readonly prove: (...given: Parameters<StepUp<never>["prove"]>) => Effect.Effect<Issued, AuthError<CommonCode>>
}

/** The factors of all modules, and the proofs that `POST /step-up` takes. `Auth.call` provides it. */
export class Factors extends Context.Service<
  Factors,
  {
    readonly heldBy: (userId: string) => Effect.Effect<HeldFactors>
    readonly stepUps: Readonly<Record<string, Proof>>
  }
>()("sallyport/Factors") {}
