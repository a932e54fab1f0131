import { Schema } from "effect"
import { Text } from "./Text.ts"
import { isWebUrl } from "./Url.ts"

const atMost = (length: number) =>
  Schema.makeFilter((text: string) => text.length <= 2 * length && Array.from(text).length <= length, {
    expected: `at most ${length} characters`,
  })

/** What users call themselves, as somebody typed it. It is part of every answer that has the user. */
export const Name = Text.check(atMost(256))

/** The address of a picture. Other schemes (`javascript:`, `data:`) would run or load in the pages that show it. */
export const Image = Text.check(atMost(2048), Schema.makeFilter(isWebUrl, { expected: "an http or https URL" }))

export const User = Schema.Struct({
  id: Schema.String,
  email: Schema.String.pipe(Schema.annotateKey({ description: "Lowercased." })),
  email_verified: Schema.Boolean,
  name: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Avatar URL." })),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
}).annotate({ identifier: "User", description: "Somebody who can sign in, as the world sees them." })
export interface User extends Schema.Schema.Type<typeof User> {}

export const LinkedAccount = Schema.Struct({
  id: Schema.String,
  provider_id: Schema.String.pipe(Schema.annotateKey({ description: "`credential` is the password." })),
  account_id: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "LinkedAccount", description: "A way to sign in that is linked to a user." })
