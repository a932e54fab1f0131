import { Effect, Random } from "effect"
import type { AuthError } from "../../../../domain/errors.ts"

/** The letters and digits of a name as a slug; empty for a name of other scripts. */
export const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 59)
    .replace(/-$/, "")

const numbered = (slug: string) => Effect.map(Random.nextIntBetween(1000, 9999), (number) => `${slug}-${number}`)

/** Runs an operation with a slug made from a name: with a number behind it if the plain one is in use. */
export const withSlugOf = <A, E extends AuthError, R>(name: string, operation: (slug: string) => Effect.Effect<A, E, R>) => {
  const slug = slugOf(name)
  const withNumber = Effect.flatMap(numbered(slug || "organization"), operation)
  if (slug === "") return withNumber
  return operation(slug).pipe(
    Effect.catchIf(
      ({ _tag }) => _tag === "slug_taken",
      () => withNumber,
    ),
  )
}
