import type { AnyDefinition } from "../Module.ts"
import { account } from "./account.ts"
import { emailPassword } from "./email-password.ts"
import { emailVerification } from "./email-verification.ts"
import { sessions } from "./sessions.ts"

/** The modules that are always on; what they can be told stands at the top of the configuration. */
export const core = [sessions.build({}), emailPassword.build({}), emailVerification.build({}), account.build({})] as const

/** The modules that are on when their name is a key under `modules`. */
export const optional: ReadonlyArray<AnyDefinition> = []
