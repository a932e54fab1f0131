import { auth0 } from "./auth0.ts"
import { betterAuth } from "./better-auth.ts"
import { clerk } from "./clerk.ts"
import { cognito } from "./cognito.ts"
import { devise } from "./devise.ts"
import { django } from "./django.ts"
import { firebase } from "./firebase.ts"
import { keycloak } from "./keycloak.ts"
import { sallyport } from "./sallyport.ts"
import type { Source } from "./source.ts"
import { supabase } from "./supabase.ts"

/**
 * The systems that users can be imported from. A record belongs to the first system that it matches: the order matters if systems share
 * fields.
 */
export const sources = {
  sallyport,
  firebase,
  clerk,
  cognito,
  auth0,
  keycloak,
  supabase,
  devise,
  django,
  "better-auth": betterAuth,
} as const satisfies Readonly<Record<string, Source>>
export type SourceName = keyof typeof sources

export const names = Object.keys(sources) as ReadonlyArray<SourceName>

/** The system that a record comes from. */
export const detect = (values: Readonly<Record<string, unknown>>): SourceName | undefined =>
  names.find((name) => sources[name].matches(values))
