import { administration } from "./operations/administration.ts"
import { organizations } from "./operations/organizations.ts"
import { sessions } from "./operations/sessions.ts"
import { signIns } from "./operations/sign-in.ts"
import { tokens } from "./operations/tokens.ts"

/** All operations, in the order of a run: those that add sessions or users are the last. */
export const operations = [...sessions, ...tokens, ...organizations, ...administration, ...signIns]
