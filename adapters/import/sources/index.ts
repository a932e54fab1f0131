import { auth0 } from "./auth0.ts"
import { betterAuth } from "./better-auth.ts"
import { clerk } from "./clerk.ts"
import { cognito } from "./cognito.ts"
import { devise } from "./devise.ts"
import { django } from "./django.ts"
import { firebase } from "./firebase.ts"
import { keycloak } from "./keycloak.ts"
import { names, type SourceName } from "./names.ts"
import { sallyport } from "./sallyport.ts"
import type { Source } from "./source.ts"
import { supabase } from "./supabase.ts"

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
} as const satisfies Readonly<Record<SourceName, Source>>

/** The system that exported a record. */
export const detect = (values: Readonly<Record<string, unknown>>): SourceName | undefined =>
  names.find((name) => sources[name].matches(values))
