import { Effect, Schema } from "effect"
import * as Module from "../application/service/module.ts"
import * as Challenges from "../domain/sign-in/challenges.ts"

/** A module that challenges every sign-in. */
export const asking = Module.define({
  name: "asking",
  settings: Module.NoSettings,
  parts: () => ({
    challenge: Challenges.make({
      of: "every_sign_in",
      output: Schema.Struct({ asked: Schema.Literal("more"), ...Challenges.ChallengeFields }),
      ask: () => Effect.succeedSome({ asked: "more" as const }),
    }),
  }),
}).build({})
