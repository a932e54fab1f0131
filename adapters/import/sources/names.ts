/**
 * The systems that users can be imported from. A record belongs to the first system that it matches: the order matters if systems share
 * fields.
 */
export const names = [
  "sallyport",
  "firebase",
  "clerk",
  "cognito",
  "auth0",
  "keycloak",
  "supabase",
  "devise",
  "django",
  "better-auth",
] as const
export type SourceName = (typeof names)[number]
