import { Schema } from "effect"
import { about, between, emailPasswordFields, orElse, section } from "../../domain/settings.ts"
import { isPrivateUrl } from "../../domain/values/url.ts"
import { hidden } from "../hidden.ts"

const isBase64 = (text: string) => /^[A-Za-z0-9+/]{2,344}={0,2}$/.test(text) && text.length % 4 === 0

/** The keys and parameters that hashes of other systems need in addition to the stored hash. */
const ImportedPasswords = {
  firebase: Schema.Struct({
    signer_key: hidden(isBase64, "the base64_signer_key of the project"),
    salt_separator: Schema.String.check(Schema.makeFilter(isBase64, { expected: "the base64_salt_separator of the project" })).pipe(
      orElse("Bw=="),
    ),
    rounds: between(1, 128).pipe(orElse(8)),
    mem_cost: between(1, 20).pipe(orElse(14)),
  }).pipe(
    Schema.optionalKey,
    about(
      "The password hash parameters of the Firebase project from which users were imported, without `base64_` in their names ([moving in](docs/moving-in.md#firebase)). They are needed until all of these users have signed in.",
    ),
  ),
  devise: Schema.Struct({ pepper: hidden((text) => text !== "", "the config.pepper of the application") }).pipe(
    Schema.optionalKey,
    about(
      "`pepper` is the `config.pepper` of the Devise application from which users were imported. It is needed until all of these users have signed in.",
    ),
  ),
}

/** The rules for passwords, how they are hashed, and which lists refuse them. */
export const Settings = Schema.Struct({
  ...emailPasswordFields,
  hash: section({
    memory_kib: between(8, 4_194_304).pipe(orElse(19_456)),
    passes: between(1, 1000).pipe(orElse(2)),
    lanes: between(1, 255).pipe(orElse(1)),
  }).pipe(
    about(
      "The cost of argon2id; `npm start -- doctor --hash-time 250` suggests one for this machine ([operating](docs/operating.md#cost-of-the-password-hash)). At least the default, or an equivalent of [OWASP](https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id), is recommended. Passwords are hashed again at the next sign-in after the cost was raised.",
    ),
  ),
  imported: section(ImportedPasswords).pipe(
    about("The keys and parameters that hashes of other systems need in addition to the stored hash."),
  ),
  blocklist: Schema.Literals(["none", "common"]).pipe(
    orElse("none"),
    about("`common` refuses the 49 thousand most common passwords; recommended."),
  ),
  breached: section({
    enabled: Schema.Boolean.pipe(orElse(false)),
    url: Schema.String.check(
      Schema.makeFilter(isPrivateUrl, { expected: "a URL that begins with https://, or http:// on this machine" }),
    ).pipe(orElse("https://api.pwnedpasswords.com")),
  }).pipe(
    about(
      "Refuses passwords from data breaches, by the range API of Have I Been Pwned or a mirror at `url`. The API gets the first five digits of the password's SHA-1. If it does not answer within two seconds, the password is accepted.",
    ),
  ),
})
export type Settings = typeof Settings.Type
