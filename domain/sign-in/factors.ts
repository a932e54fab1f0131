import type { Effect } from "effect"
import { Context } from "effect"
import type { AuthError, CommonCode } from "../errors.ts"
import type { HeldFactors } from "../sessions/session.ts"
import type { Issued } from "./sign-in.ts"
import type { StepUp } from "./step-up.ts"

/** A proof of a module. Its codes are the module's own, as those of a gate are. */
interface Proof extends Omit<StepUp<never>, "prove"> {
  readonly prove: (...given: Parameters<StepUp<never>["prove"]>) => Effect.Effect<Issued, AuthError<CommonCode>>
}

/** The factors of all modules, and the proofs that `POST /step-up` takes. `Auth.call` provides it. */
export class Factors extends Context.Service<
  Factors,
  {
    readonly heldBy: (userId: string) => Effect.Effect<HeldFactors>
    /** Whether administrators have to hold a factor. */
    readonly requiredOfAdministrators: boolean
    readonly stepUps: Readonly<Record<string, Proof>>
  }
>()("sallyport/Factors") {}
