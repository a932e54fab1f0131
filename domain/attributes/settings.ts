import { Schema } from "effect"
import { organizationScope } from "../organizations/organization.ts"
import { about, flag, orElse } from "../settings.ts"
import { ValueSchema } from "./value-schema.ts"

/** An attribute of users, as the configuration declares it. */
export const AttributeSettings = Schema.Struct({
  schema: ValueSchema.pipe(
    about(
      "The values, as [JSON Schema](docs/administration.md#attributes): `string`, `integer`, `number`, `boolean`, or a list (`array`) of these.",
    ),
  ),
  read: Schema.Literals(["user", "admin", "private"]).pipe(
    orElse(
      "user",
      "Who sees it: `user` the user and administrators, `admin` only administrators, `private` only administrators with the permission `users:private`.",
    ),
  ),
  write: Schema.Literals(["user", "admin"]).pipe(
    orElse("admin", "Who changes it: `user` also the user, `admin` only the administrators who see it."),
  ),
  unique: flag("Whether no two users can have the same value, of those that are written from then on."),
  indexed: flag("Whether administrators list the users with a value."),
  sign_up: flag("Whether new users can send it to `/sign-up/email`, and enter it on the sign-up page."),
  claims: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/, { expected: "a scope" }))).pipe(
    about("The scope with which clients of `modules.idp` get it in ID tokens and userinfo, as a claim of its name. Default: never."),
  ),
})
export type AttributeSettings = typeof AttributeSettings.Type

const seenBy = "Who sees it: `user` the members of the organization and administrators, `admin` only administrators"

const groupSettings = <R extends Schema.Top>(read: R, writers: string) =>
  Schema.Record(
    Schema.String,
    Schema.Struct({
      schema: ValueSchema.pipe(about("The values, as those of `users.attributes`.")),
      read,
      write: Schema.Literals(["user", "admin"]).pipe(
        orElse("admin", `Who changes it: \`user\` also the members who may change ${writers}, \`admin\` only administrators.`),
      ),
    }),
  )

/** Attributes of organizations, as the configuration declares them. */
export const GroupSettings = groupSettings(
  Schema.Literals(["client", "user", "admin"]).pipe(
    orElse(
      "user",
      `${seenBy}, \`client\` those of \`user\`, and clients of \`modules.idp\` in \`org_attributes\` of tokens with the scope \`organization\`.`,
    ),
  ),
  "the organization",
)
/** Attributes of members of organizations. */
export const MemberSettings = groupSettings(Schema.Literals(["user", "admin"]).pipe(orElse("user", `${seenBy}.`)), "the roles of members")
export type GroupSettings = typeof GroupSettings.Type
export type MemberSettings = typeof MemberSettings.Type

export const Settings = Schema.Record(Schema.String, AttributeSettings)
export type Settings = typeof Settings.Type

/** What only attributes of users can have. */
const onlyOfUsers = { unique: false, indexed: false, sign_up: false } as const

/** Attributes of organizations or members, declared as those of users. Those for clients are claims of the scope `organization`. */
export const asOfUsers = (settings: GroupSettings): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { read, ...rest }]) => {
      const seen = read === "client" ? ({ read: "user", claims: organizationScope } as const) : { read }
      return [name, { ...rest, ...onlyOfUsers, ...seen }]
    }),
  )
