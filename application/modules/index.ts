import type { AnyEndpoint } from "../Endpoint.ts"
import type { Definition, Module, Needs } from "../Module.ts"
import { account } from "./account.ts"
import { emailPassword } from "./email-password.ts"
import { emailVerification } from "./email-verification.ts"
import { sessions } from "./sessions.ts"

/** The modules that are always on; what they can be told stands at the top of the configuration. */
export const core = [sessions.build({}), emailPassword.build({}), emailVerification.build({}), account.build({})] as const

type CoreNeeds = Needs<(typeof core)[number]>
type Endpoints = Readonly<Record<string, AnyEndpoint<CoreNeeds>>>

/** A module beside those of the core: it has the services that those have. */
export type ExtraModule = Module<Endpoints, CoreNeeds>
export type ExtraDefinition = Definition<any, Endpoints, CoreNeeds>

/** The modules that are on when their name is a key under `modules`. */
export const optional: ReadonlyArray<ExtraDefinition> = []
